import type { Source, SyncStatusView } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";

/** Time for the server to finish its read, and jitter so that tabs don't request all at once. */
const SETTLE_MS = 100;
const MAX_JITTER_MS = 1000;
/** Poll interval while the server's own read is late: a failure must show within 5 s. */
export const LATE_RHYTHM_MS = 3000;

/**
 * When to send the next request, on the clock of its arguments (epoch milliseconds). Just after the server's next read;
 * while that read is late, every 3 s, backing off to the rhythm; once per rhythm while none is planned. A hidden tab
 * requests once per rhythm, which is less often than the server reads.
 * @param nextRefreshMs planned time of the server's next read; null: none is planned, or it is unknown
 * @param rhythmMs `rhythm_seconds`, which the server's confidence is based on
 * @param lastRequestMs when the last request succeeded or failed
 * @param jitter 0 to 1, this tab's share of the jitter
 */
export function nextRequestMs({
  nextRefreshMs,
  rhythmMs,
  lastRequestMs,
  jitter,
  isHidden = false,
}: {
  nextRefreshMs: number | null;
  rhythmMs: number;
  lastRequestMs: number;
  jitter: number;
  isHidden?: boolean;
}): number {
  const readMs = nextRefreshMs ?? lastRequestMs + rhythmMs;
  const dueMs = readMs + SETTLE_MS + jitter * Math.min(MAX_JITTER_MS, rhythmMs / 10);
  const lateByMs = lastRequestMs - dueMs;
  const waitMs = Math.min(Math.max(LATE_RHYTHM_MS, lateByMs / 4), Math.max(rhythmMs, SETTLE_MS));
  const requestMs = lateByMs < 0 ? dueMs : lastRequestMs + waitMs;
  return isHidden ? Math.max(requestMs, lastRequestMs + rhythmMs) : requestMs;
}

/** How long after its request was due a response may arrive: the request timeout plus a margin. */
const OVERDUE_MS = 15_000;

/**
 * When a response counts as missing, on the clock of its arguments (epoch milliseconds): never while no request is due,
 * however long that is.
 * @param source of the last response
 * @param lastResponseMs when that was received
 */
export function overdueFromMs(
  { next_refresh_at, rhythm_seconds }: Pick<Source, "next_refresh_at" | "rhythm_seconds">,
  lastResponseMs: number,
): number {
  const rhythmMs = rhythm_seconds * 1000;
  const latestRequestMs = nextRequestMs({
    nextRefreshMs: instantMs(next_refresh_at),
    rhythmMs,
    lastRequestMs: lastResponseMs,
    jitter: 1,
    isHidden: true,
  });
  return latestRequestMs + Math.min(rhythmMs, OVERDUE_MS);
}

/** A basic check; the shape itself is ensured by the server's contract tests. */
export function isSyncStatusView(body: unknown): body is SyncStatusView {
  return (
    isRecord(body) &&
    Array.isArray(body["rows"]) &&
    isRecord(body["source"]) &&
    (body["source"]["next_refresh_at"] === null ||
      typeof body["source"]["next_refresh_at"] === "string") &&
    typeof body["source"]["rhythm_seconds"] === "number"
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
