/** Position of the due line in every row: half of the width. */
const DUE_FRACTION = 1 / 2;
/** The bar is full at this many cadences; beyond that it ends in an arrow head. */
const FULL_AT_CADENCES = 8;

/**
 * Length of an age bar: linear up to the due line, logarithmic beyond (2 cadences at 66.7 %, 4 at 83.3 %, 8 at the
 * end).
 * @param ageMs milliseconds; null if unknown
 * @param cadenceMs milliseconds; null if unknown
 * @returns `fraction` of the width, 0 to 1, and `overflow`, true for an arrow head; null if there is no bar
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
