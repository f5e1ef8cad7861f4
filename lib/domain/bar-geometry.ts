/** Where the due line stands, in every row: half of the width. */
const DUE_FRACTION = 1 / 2;
/** The bar is full at this many cadences; from here it ends in an arrow head. */
const FULL_AT_CADENCES = 8;

/**
 * Length of an age bar: linear up to the due line, logarithmic beyond (2 cadences at 66.7 %, 4 at 83.3 %,
 * 8 at the end).
 * @param ageMs milliseconds; null when not known
 * @param cadenceMs milliseconds; null when not known
 * @returns `fraction` of the width, 0 to 1; `overflow` asks for the arrow head; null when there is no bar
 */
export function dueBarFraction(
  ageMs: number | null,
  cadenceMs: number | null,
): { fraction: number; overflow: boolean } | null {
  if (ageMs === null || cadenceMs === null || !(cadenceMs > 0) || Number.isNaN(ageMs)) return null;
  const cadences = Math.max(0, ageMs) / cadenceMs;
  if (Number.isNaN(cadences)) return null;
  const fraction =
    cadences <= 1 ? cadences * DUE_FRACTION : Math.min(1, DUE_FRACTION + Math.log2(cadences) / 6);
  return { fraction, overflow: cadences >= FULL_AT_CADENCES };
}
