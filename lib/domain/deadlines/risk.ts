import { instantMs } from "@/lib/domain/time/instant";
import type { EndpointFacts, SyncAttributes } from "@/lib/domain/sync";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** How long before a deadline it is judged at the earliest. */
const JUDGED_AHEAD_MS = 12 * HOUR_MS;

/** An open deadline of a feed. Epoch milliseconds on the API's clock. */
export type OpenDeadline = { fromMs: number; dueMs: number; limitMs: number };

/**
 * Whether a deadline will be kept, with its arithmetic. Instants are epoch milliseconds, durations milliseconds.
 * - `not_yet`: too early to say, or a feed without a schedule
 * - `safe`: the attempt that counts usually ends in time
 * - `too_late`: it usually ends after the allowance
 * - `no_attempt`: none is running or scheduled
 * - `cannot_tell`: its usual duration is unknown
 */
export type Risk =
  | { code: "not_yet" }
  | { code: "safe" | "too_late"; attemptMs: number; usualMs: number; endsMs: number }
  | { code: "cannot_tell"; attemptMs: number }
  | { code: "no_attempt" };

/** A row as far as a risk depends on it. */
export type AttemptRow = Pick<
  SyncAttributes,
  | "status"
  | "next_sync_at"
  | "last_sync_status"
  | "last_sync_started_at"
  | "last_sync_duration_seconds"
  | "frequency_minutes"
>;

/** When a deadline is judged from, epoch milliseconds. */
export const judgedFromMs = ({ fromMs, dueMs }: Pick<OpenDeadline, "fromMs" | "dueMs">) =>
  Math.max(fromMs, dueMs - JUDGED_AHEAD_MS);

/** Whether a risk is shown as "at risk". */
export function isAtRisk({ code }: Risk): boolean {
  return code === "too_late" || code === "no_attempt";
}

/**
 * Judges an open deadline that isn't kept yet.
 * @param nowMs epoch milliseconds on the API's clock
 */
export function riskOf(
  row: AttemptRow,
  known: EndpointFacts,
  { fromMs, dueMs, limitMs }: OpenDeadline,
  nowMs: number,
): Risk {
  if (row.status === "webhook" || nowMs < judgedFromMs({ fromMs, dueMs }))
    return { code: "not_yet" };
  const usualMs = usualDurationMs(row, known);
  const attemptMs = attemptOf(row, known, { fromMs, nowMs, usualMs: usualMs ?? 0 });
  if (attemptMs === null) return { code: "no_attempt" };
  if (usualMs === null) return { code: "cannot_tell", attemptMs };
  const startsMs = isRunning(row) ? attemptMs : Math.max(attemptMs, nowMs);
  const endsMs = Math.max(startsMs + usualMs, nowMs + MINUTE_MS);
  return { code: endsMs > limitMs ? "too_late" : "safe", attemptMs, usualMs, endsMs };
}

/** When the risk of a deadline may change although its feed doesn't: ends of what is still in time. */
export function riskTurnsMs(
  { dueMs, limitMs }: Pick<OpenDeadline, "dueMs" | "limitMs">,
  usualMs: number | null,
): number[] {
  // A risk begins after the last instant in time.
  return [dueMs - JUDGED_AHEAD_MS, limitMs - (usualMs ?? 0) + 1, limitMs - MINUTE_MS + 1];
}

/**
 * Start of the attempt that counts: the running one, or the first scheduled one that ends after the window's start. The
 * next sync as given, even if its time has passed.
 * @returns null: none is known
 */
function attemptOf(
  row: AttemptRow,
  known: EndpointFacts,
  { fromMs, nowMs, usualMs }: { fromMs: number; nowMs: number; usualMs: number },
): number | null {
  const startedMs = isRunning(row) ? instantMs(row.last_sync_started_at) : null;
  if (startedMs !== null) return startedMs;
  const nextMs = instantMs(row.next_sync_at);
  if (nextMs === null) return null;
  const endsMs = Math.max(Math.max(nextMs, nowMs) + usualMs, nowMs + MINUTE_MS);
  const minutes = row.frequency_minutes ?? known.learned_frequency_minutes ?? 0;
  if (endsMs > fromMs || !(minutes > 0)) return nextMs;
  const cadenceMs = minutes * MINUTE_MS;
  return nextMs + (Math.floor((fromMs - nextMs - usualMs) / cadenceMs) + 1) * cadenceMs;
}

function isRunning(row: Pick<AttemptRow, "last_sync_status">): boolean {
  return row.last_sync_status === "in_progress";
}

/** How long runs of a feed usually take, milliseconds; null: unknown. */
export function usualDurationMs(
  row: Pick<AttemptRow, "last_sync_duration_seconds">,
  known: EndpointFacts,
): number | null {
  const seconds = known.typical_duration_seconds ?? row.last_sync_duration_seconds;
  return seconds !== null && seconds >= 0 && Number.isFinite(seconds) ? seconds * 1000 : null;
}
