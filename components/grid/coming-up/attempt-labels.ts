import type { NextAttempt } from "@/lib/domain/next-hour";
import { MINUTE_MS } from "@/lib/domain/time/units";

const MAX_LABELS = 3;
const MINUTES = 60;
/** Narrowest width of a minute where more than one label is shown. */
const MINUTE_PX = 18;
const CHARACTER_PX = 6;
const PADDING_PX = 10;

/** A label above the blocks, `isBefore` its minute where it would go beyond the end of the hour. */
export type AttemptLabel = { key: string; minute: number; isBefore: boolean; text: string };

/**
 * The first next attempts of partners that are behind which have room beside each other, at most three.
 * @param attempts soonest first
 */
export function attemptLabels(
  attempts: readonly NextAttempt[],
  fromMs: number,
  textOf: (attempt: NextAttempt) => string,
): AttemptLabel[] {
  const labels: AttemptLabel[] = [];
  let untilMinute = 0;
  for (const attempt of attempts) {
    if (labels.length === MAX_LABELS) break;
    const text = textOf(attempt);
    const minute = Math.round((attempt.atMs - fromMs) / MINUTE_MS) + 0.5;
    const width = (text.length * CHARACTER_PX + PADDING_PX) / MINUTE_PX;
    const isBefore = minute + width > MINUTES;
    const from = isBefore ? minute - width : minute;
    if (from < untilMinute) continue;
    untilMinute = from + width;
    labels.push({ key: attempt.partner, minute, isBefore, text });
  }
  return labels;
}
