import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { ago, duration } from "./format";
import { atMoment, datedMoment } from "./dates";

/**
 * What every page says of our own picture. In a file of its own, because every page loads it. Instants are epoch
 * milliseconds on the server's clock; a `timeZone` is an IANA name.
 */

type When = { nowMs: number; timeZone: string };

/**
 * Why the last read did not succeed, in our own words; the upstream's own text is never shown.
 * @param resetMs end of a rate limit; null when the upstream did not say
 */
export function sourceReasonSentence(
  reason: SourceReason,
  { resetMs, nowMs, timeZone }: When & { resetMs: number | null },
): string {
  switch (reason) {
    case "unreachable":
      return "The source isn’t responding.";
    case "rate_limited":
      // A limit that is already over says nothing about how long.
      return resetMs !== null && resetMs > nowMs
        ? `Rate limited until ${datedMoment(resetMs, nowMs, timeZone)}.`
        : "Rate limited by the source.";
    case "unauthorized":
      return "The source rejected our credentials.";
    case "forbidden":
      return "Our credentials don’t allow us to read sync status.";
    case "invalid_response":
      return "The source sent an invalid response.";
    case "starting":
      return "The first check is running.";
  }
  return reason satisfies never;
}

/**
 * What the confidence bar says beside its word.
 * @param lastSuccessMs the last complete snapshot; null before the first
 * @param frozenFromMs when verdicts freeze, or froze; null before the first snapshot
 * @returns empty while live: the bar is quiet
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
