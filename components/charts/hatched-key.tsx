/** Legend of what wasn't observed. */
export function HatchedKey() {
  return <span className="hatched-fine h-2.5 w-[18px]" aria-hidden="true" />;
}
