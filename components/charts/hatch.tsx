/** The ground of what was not observed, as a pattern of an SVG; used by `url(#id)`. */
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

/** The ground for shapes that stand in no chart, once per page: `url(#hatch)`. */
export function Hatch() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <HatchPattern id="hatch" />
    </svg>
  );
}
