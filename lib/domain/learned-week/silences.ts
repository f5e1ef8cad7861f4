import type { Stretch } from "@/lib/domain/history";

/**
 * The times between two consecutive landings, where longer than two cadences, and the one since the last landing.
 * @param landingsMs ascending, epoch milliseconds
 */
export function silencesOf(
  landingsMs: readonly number[],
  cadenceMs: number,
  nowMs: number,
): Stretch[] {
  return landingsMs.flatMap((fromMs, at) => {
    const untilMs = landingsMs[at + 1] ?? nowMs;
    return untilMs - fromMs > 2 * cadenceMs || landingsMs.length === at + 1
      ? [{ fromMs, untilMs }]
      : [];
  });
}
