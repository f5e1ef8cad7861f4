import type { Period } from "@/lib/domain/history";
import type { LocalDay, Syncs } from "./learn-week";

/**
 * The times between two consecutive landings, where longer than two cadences, and the one since the last landing.
 * @param landingsMs ascending, epoch milliseconds
 */
export function silencesOf(
  landingsMs: readonly number[],
  cadenceMs: number,
  nowMs: number,
): Period[] {
  return landingsMs.flatMap((fromMs, at) => {
    const untilMs = landingsMs[at + 1] ?? nowMs;
    return untilMs - fromMs > 2 * cadenceMs || landingsMs.length === at + 1
      ? [{ fromMs, untilMs }]
      : [];
  });
}

/**
 * The syncs of some days.
 * @param landingsMs ascending, epoch milliseconds
 */
export function syncsOf(
  landingsMs: readonly number[],
  cadenceMs: number,
  nowMs: number,
  days: readonly LocalDay[],
): Syncs[] {
  const syncs = days.map(() => ({ landedMs: 0, dueMs: 0 }));
  // Latest first, as the days are.
  let place = 0;
  for (let at = landingsMs.length - 1; at >= 0; at -= 1) {
    const landedMs = landingsMs[at] ?? NaN;
    while ((days[place]?.fromMs ?? -Infinity) > landedMs) place += 1;
    const [day, own] = [days[place], syncs[place]];
    if (day === undefined || own === undefined) break;
    if (landedMs >= day.untilMs) continue;
    const passedMs = (landingsMs[at + 1] ?? nowMs) - landedMs;
    own.landedMs += Math.min(passedMs, cadenceMs);
    own.dueMs += Math.min(passedMs, 2 * cadenceMs);
  }
  return syncs;
}
