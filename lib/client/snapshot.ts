import type { Source, SyncStatusView } from "@/lib/contracts/dashboard";

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

/** How long after it was to be asked for an answer may come: the timeout of a request, and some more. */
const OVERDUE_MS = 15_000;

/**
 * When an answer counts as missing, on the same clock as its arguments (epoch milliseconds): not while we have no
 * reason to ask, however long that is.
 * @param source of the last answer
 * @param lastAnswerMs when that came
 */
export function overdueFromMs(
  { next_refresh_at, rhythm_seconds }: Pick<Source, "next_refresh_at" | "rhythm_seconds">,
  lastAnswerMs: number,
): number {
  const rhythmMs = rhythm_seconds * 1000;
  const latestAskMs = nextAskMs({
    nextRefreshMs: Date.parse(next_refresh_at),
    rhythmMs,
    lastAskMs: lastAnswerMs,
    jitter: 1,
    isHidden: true,
  });
  const askMs = Number.isFinite(latestAskMs) ? latestAskMs : lastAnswerMs + rhythmMs;
  return askMs + Math.min(rhythmMs, OVERDUE_MS);
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
