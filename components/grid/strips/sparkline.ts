export const SPARK_WIDTH_PX = 70;
export const SPARK_HEIGHT_PX = 16;
/** Space above the highest step, and for half the line at the bottom. */
const TOP_PX = 2;
const BOTTOM_PX = 15.5;

/** SVG path data: the line, and the area below it. Both empty without a reading. */
export type Sparkline = { line: string; area: string };

/**
 * Readings as steps of equal width from 0 up to their maximum, in pixels; broken at unobserved
 * values.
 * @param values oldest first; null: not observed
 */
export function sparkline(values: readonly (number | null)[]): Sparkline {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const step = SPARK_WIDTH_PX / Math.max(1, values.length);
  const height = (value: number) => (highest === 0 ? 0 : value / highest) * (BOTTOM_PX - TOP_PX);
  let line = "";
  let area = "";
  let segment = "";
  let fromPx = 0;
  values.forEach((value, at) => {
    if (value === null) return;
    const y = tenths(BOTTOM_PX - height(value));
    if (segment === "") {
      fromPx = tenths(at * step);
      segment = `M${fromPx} ${y}`;
    } else segment += `V${y}`;
    const untilPx = tenths((at + 1) * step);
    segment += `H${untilPx}`;
    if ((values[at + 1] ?? null) !== null) return;
    line += segment;
    area += `${segment}V${SPARK_HEIGHT_PX}H${fromPx}Z`;
    segment = "";
  });
  return { line, area };
}

function tenths(px: number): number {
  return Math.round(px * 10) / 10;
}
