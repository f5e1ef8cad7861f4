/** SVG hatching pattern of unobserved time; used as `url(#id)`. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <pattern
      id={id}
      width="4"
      height="4"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="1.2" height="4" fill="var(--control)" fillOpacity="0.6" />
    </pattern>
  );
}

/** The hatching for shapes outside of charts, once per page: `url(#hatch)`. */
export function Hatch() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <HatchPattern id="hatch" />
    </svg>
  );
}
