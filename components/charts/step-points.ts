import { mergePeriods, type Period } from "@/lib/domain/history";

/** A reading; null: none. Epoch milliseconds. */
export type StepPoint = { atMs: number; value: number | null };

/** A gap in observation; epoch milliseconds. */
export type Gap = Period;

/** Position of an instant on an axis, 0 to 1, clamped to its ends. */
export function shareOf(ms: number, { fromMs, untilMs }: Period): number {
  return Math.min(1, Math.max(0, (ms - fromMs) / (untilMs - fromMs)));
}

/**
 * Where a series has nothing to show: gaps, and from every missing reading to the next existing
 * one. Merged, and cut to the axis.
 */
export function unseenOf(
  points: readonly StepPoint[],
  gaps: readonly Period[],
  axis: Period,
): Period[] {
  const missing = points.flatMap(({ atMs, value }, at) =>
    value === null ? [{ fromMs: atMs, untilMs: points[at + 1]?.atMs ?? axis.untilMs }] : [],
  );
  return mergePeriods([...gaps, ...missing], axis);
}

/**
 * The corners of a step line. A reading holds until the next one, until an unseen period starts,
 * or until the end of the axis; within such a period nothing is drawn, nor after it until a new
 * reading.
 * @param points ascending
 * @param unseen merged, from `unseenOf`
 */
export function stepPoints(
  points: readonly StepPoint[],
  unseen: readonly Period[],
  untilMs: number,
): StepPoint[] {
  const drawn: StepPoint[] = [];
  let held: number | null = null;
  let next = 0;
  const breakBefore = (atMs: number) => {
    for (
      let period = unseen[next];
      period !== undefined && period.fromMs < atMs;
      period = unseen[next]
    ) {
      if (held !== null) drawn.push({ atMs: period.fromMs, value: held });
      drawn.push({ atMs: period.fromMs, value: null });
      held = null;
      next += 1;
    }
  };
  for (const point of points) {
    breakBefore(point.atMs);
    const isUnseen = unseen.some(
      ({ fromMs, untilMs: endMs }) => fromMs < point.atMs && point.atMs < endMs,
    );
    if (point.value === null || isUnseen) continue;
    drawn.push(point);
    held = point.value;
  }
  breakBefore(untilMs);
  if (held !== null) drawn.push({ atMs: untilMs, value: held });
  return drawn;
}
