const ROUND = [1, 2, 2.5, 4, 5, 6, 8, 10];

/**
 * A y axis from 0 to a round number at or above `max`, with three lines: 0, half, top.
 * @param max the largest value drawn, at least 0
 */
export function niceScale(max: number): readonly [0, number, number] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1, 2];
  const unit = 10 ** Math.floor(Math.log10(max));
  const top = unit * (ROUND.find((factor) => factor * unit >= max) ?? 10);
  // Counts have no halves.
  const whole = Math.max(2, Math.ceil(top));
  const even = whole + (whole % 2);
  return [0, even / 2, even];
}
