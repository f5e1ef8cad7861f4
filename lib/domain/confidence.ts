import { instantMs } from "@/lib/domain/time/instant";
import type { Confidence } from "./sync";

/** Missed polls up to which a company is live. */
export const LIVE_POLLS = 2.5;
/** Missed polls after which a company counts as blind. */
export const DELAYED_POLLS = 5;

/**
 * How far the current data of a company can be trusted.
 * A last success in the future (after a clock was set back) counts by its distance from now, so it never stays live for
 * longer than usual.
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

/** Last millisecond at which the data counts as live, epoch ms; null before the first snapshot. */
export function liveUntilMs(lastSuccessMs: number | null, rhythmSeconds: number): number | null {
  return lastSuccessMs === null ? null : lastSuccessMs + LIVE_POLLS * rhythmSeconds * 1000;
}

/** The last millisecond before verdicts freeze, epoch ms; null before the first snapshot. */
export function delayedUntilMs(lastSuccessMs: number | null, rhythmSeconds: number): number | null {
  return lastSuccessMs === null ? null : lastSuccessMs + DELAYED_POLLS * rhythmSeconds * 1000;
}

const WORSE_AND_WORSE: readonly Confidence[] = ["live", "delayed", "blind"];

/** The confidence that the server reported in its response. */
export type Picture = {
  confidence: Confidence;
  /** ISO 8601; null before the first complete snapshot. */
  last_success_at: string | null;
  rhythm_seconds: number;
};

/**
 * Current confidence: the worse of the data's age by our clock and what the server reported, which also accounts for
 * time that its wall clock lost.
 * @param nowMs the server's clock, epoch milliseconds
 */
export function confidenceNow(picture: Picture, nowMs: number): Confidence {
  const { confidence: said, last_success_at: successAt, rhythm_seconds: rhythmSeconds } = picture;
  return worseConfidence(said, confidence(instantMs(successAt), nowMs, rhythmSeconds));
}

export function worseConfidence(a: Confidence, b: Confidence): Confidence {
  return WORSE_AND_WORSE.indexOf(b) > WORSE_AND_WORSE.indexOf(a) ? b : a;
}

/** Confidence on a screen that may have lost its server: without a connection the data is never live. */
export function confidenceOnScreen(said: Confidence, isServerSilent: boolean): Confidence {
  return isServerSilent && said === "live" ? "delayed" : said;
}
