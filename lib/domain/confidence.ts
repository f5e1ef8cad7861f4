import type { Confidence } from "./sync";

const LIVE_POLLS = 2.5;
const DELAYED_POLLS = 5;

/**
 * How far the picture of a company can be trusted.
 * A last success in the future (a clock stepped back) counts by its distance: what we cannot date we do
 * not call live for longer than usual.
 * @param lastSuccessMs end of the last complete snapshot, epoch ms on the clock of `nowMs`; null: never
 * @param nowMs epoch ms
 * @param rhythmSeconds the effective poll rhythm, `source.rhythm_seconds`
 */
export function confidence(
  lastSuccessMs: number | null,
  nowMs: number,
  rhythmSeconds: number,
): Confidence {
  if (lastSuccessMs === null || !(rhythmSeconds > 0) || !Number.isFinite(rhythmSeconds))
    return "blind";
  const polls = Math.abs(nowMs - lastSuccessMs) / (rhythmSeconds * 1000);
  if (polls <= LIVE_POLLS) return "live";
  return polls <= DELAYED_POLLS ? "delayed" : "blind";
}

/** The last millisecond at which the picture is live, epoch ms; null before the first snapshot. */
export function liveUntilMs(lastSuccessMs: number | null, rhythmSeconds: number): number | null {
  return lastSuccessMs === null ? null : lastSuccessMs + LIVE_POLLS * rhythmSeconds * 1000;
}

/** The last millisecond before verdicts freeze, epoch ms; null before the first snapshot. */
export function delayedUntilMs(lastSuccessMs: number | null, rhythmSeconds: number): number | null {
  return lastSuccessMs === null ? null : lastSuccessMs + DELAYED_POLLS * rhythmSeconds * 1000;
}
