import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { ago, duration } from "./format";
import { atMoment, datedMoment } from "./dates";

/**
 * Sentences about our own data that every page shows. In a separate file, because every page loads it. Instants are
 * epoch milliseconds on the server's clock; a `timeZone` is an IANA name.
 */

type When = { nowMs: number; timeZone: string };

/**
 * Why the last read failed, in our own words; the upstream's own text is never shown.
 * @param resetMs end of a rate limit; null if the upstream didn't give one
 */
export function sourceReasonSentence(
  reason: SourceReason,
  { resetMs, nowMs, timeZone }: When & { resetMs: number | null },
): string {
  switch (reason) {
    case "unreachable":
      return "The source isn’t responding.";
    case "rate_limited":
      // The end of a limit that is already over isn't shown.
      return resetMs !== null && resetMs > nowMs
        ? `Rate limited until ${datedMoment(resetMs, nowMs, timeZone)}.`
        : "Rate limited by the source.";
    case "unauthorized":
      return "The source rejected our credentials.";
    case "forbidden":
      return "The source won’t let us read sync status.";
    case "invalid_response":
      return "The source sent an invalid response.";
    case "starting":
      return "The first check is running.";
    case "disconnected":
      return "The connection is paused.";
    case "secret_unreadable":
      return "The stored client secret can’t be decrypted.";
  }
  return reason satisfies never;
}

/**
 * The note beside the confidence label.
 * @param lastSuccessMs the last complete snapshot; null before the first
 * @param frozenFromMs when verdicts freeze, or froze; null before the first snapshot
 * @returns empty while live
 */
export function confidenceNote(
  confidence: Confidence,
  {
    lastSuccessMs,
    frozenFromMs,
    nowMs,
    timeZone,
  }: When & { lastSuccessMs: number | null; frozenFromMs: number | null },
): string {
  if (confidence === "live") return "";
  if (lastSuccessMs === null) return "No complete check yet, so no verdicts.";
  const behindMs = Math.max(0, nowMs - lastSuccessMs);
  if (confidence === "blind")
    return `since ${datedMoment(lastSuccessMs, nowMs, timeZone)}, ${ago(behindMs)}. Verdicts are frozen, not current.`;
  const freeze =
    frozenFromMs === null ? "" : ` Verdicts freeze ${atMoment(frozenFromMs, nowMs, timeZone)}.`;
  return `${duration(behindMs)} behind.${freeze}`;
}
