/** The logo: a plumb line and its bob, in ink. */
export function Logo({
  className = "",
  width = 14,
  height = 20,
}: {
  className?: string;
  width?: number;
  height?: number;
}) {
  return (
    <svg
      className={`shrink-0 ${className}`}
      width={width}
      height={height}
      viewBox="0 0 14 20"
      aria-hidden="true"
    >
      <rect x="6.25" y="0" width="1.5" height="11" fill="currentColor" />
      <path d="M2.5 10.5h9L7 19.5Z" fill="currentColor" />
    </svg>
  );
}
