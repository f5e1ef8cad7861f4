import type { Judgement } from "@/lib/domain/verdict";

/**
 * Time of a sync that should have started but shows no sign of it: neither a run nor data since.
 * @param nowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds; null: there is none
 */
export function missedSyncMs(
  { nextMs, landingMs, runStartedMs }: Judgement["terms"],
  nowMs: number,
): number | null {
  if (nextMs === null || nextMs > nowMs) return null;
  const isBefore = (ms: number | null) => ms === null || ms < nextMs;
  return isBefore(landingMs) && isBefore(runStartedMs) ? nextMs : null;
}
