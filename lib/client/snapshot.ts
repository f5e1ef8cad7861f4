import type { SyncStatusView } from "@/lib/contracts/dashboard";

/** The server says when it will have read and recorded; and not every tab should ask at once. */
const SETTLE_MS = 100;
const MAX_JITTER_MS = 1000;
/** How soon to ask again when the server's own read is late: a failure must show within 5 s. */
export const LATE_RHYTHM_MS = 3000;

/**
 * When to ask again, on the same clock as its arguments (epoch milliseconds).
 * Just after the server's next read; while that read is late, every 3 s, backing off to the rhythm. A tab
 * that nobody sees asks once in the rhythm, which is less often than the server reads.
 * @param nextRefreshMs when the server means to read next
 * @param rhythmMs what the server counts its confidence by: `rhythm_seconds`
 * @param lastAskMs when we last got an answer or failed to
 * @param jitter 0 to 1, this tab's share of the jitter
 */
export function nextAskMs({
  nextRefreshMs,
  rhythmMs,
  lastAskMs,
  jitter,
  isHidden = false,
}: {
  nextRefreshMs: number;
  rhythmMs: number;
  lastAskMs: number;
  jitter: number;
  isHidden?: boolean;
}): number {
  const dueMs = nextRefreshMs + SETTLE_MS + jitter * Math.min(MAX_JITTER_MS, rhythmMs / 10);
  const lateByMs = lastAskMs - dueMs;
  const waitMs = Math.min(Math.max(LATE_RHYTHM_MS, lateByMs / 4), Math.max(rhythmMs, SETTLE_MS));
  const askMs = lateByMs < 0 ? dueMs : lastAskMs + waitMs;
  return isHidden ? Math.max(askMs, lastAskMs + rhythmMs) : askMs;
}

/** A light look; the shape itself is the contract's, held by the server's tests. */
export function isSyncStatusView(body: unknown): body is SyncStatusView {
  return (
    isRecord(body) &&
    Array.isArray(body["rows"]) &&
    isRecord(body["source"]) &&
    typeof body["source"]["next_refresh_at"] === "string" &&
    typeof body["source"]["rhythm_seconds"] === "number"
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
