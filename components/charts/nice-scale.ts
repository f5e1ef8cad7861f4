import { count } from "@/lib/domain/words/format";

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

/** Longer numbers than those below this one don't fit beside a plot. */
const SHORTENED_FROM = 100_000;
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** The label of one of `niceScale`'s lines: "1,250"; on a larger scale "1.25M", which is exact. */
export function scaleText(value: number, [, , top]: readonly [number, number, number]): string {
  return top < SHORTENED_FROM ? count(value) : SHORT.format(value);
}
