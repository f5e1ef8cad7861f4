import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { awakeBefore, awakeMs, type Period } from "./learned-week/rests";

/**
 * The table of docs/verdict.md, written down a second time: nothing here is from `lib/domain`. Instants are epoch
 * milliseconds on the API's clock.
 */

const MINUTE_MS = 60_000;

/** What an endpoint's runs and earlier checks add to its row. */
export type Facts = {
  /** 95th percentile of completed runs, seconds; null: none was seen. */
  usualSeconds: number | null;
  failures: number;
  /** End of the first of these failures; null: none, or unknown. */
  failingSinceMs: number | null;
  /** The last run that completed, failed or timed out; null: none. */
  last: { status: string; startedMs: number; endedMs: number | null } | null;
  /** Null: not learned. */
  learnedMinutes: number | null;
  isListed: boolean;
  /** When it rests by a learned week: ascending, without overlaps. */
  rests: readonly Period[];
};

type Attributes = ServedSyncStatus["attributes"];
export type Word =
  | "paused"
  | "unknown"
  | "failing"
  | "webhook"
  | "late"
  | "stale"
  | "due"
  | "fresh";

/** `beganMs`: since when it is late, stale or failing; null for other words. */
export type Judged = { word: Word; beganMs: number | null };

/** Judges a row at an instant. */
export function judgeByTable(row: Attributes, facts: Facts, nowMs: number): Judged {
  if (row.status === "inactive") return calm("paused");
  if (!facts.isListed) return calm("unknown");
  const t = termsOf(row, facts, nowMs);
  const stuckSinceMs = t.isRunning && t.startedMs !== null ? t.startedMs + t.stuckAfterMs : null;
  const since = [t.byDataMs, t.byNextMs].flatMap((ms) =>
    ms !== null && ms > t.allowanceMs ? awakeBefore(facts.rests, nowMs, ms - t.allowanceMs) : [],
  );
  const trouble = (word: Word, ...more: number[]) => ({
    word,
    beganMs: Math.min(nowMs, ...since, ...more),
  });

  const isStuck = stuckSinceMs !== null && nowMs > stuckSinceMs;
  const failure = failureOf(row, facts, t);
  const failedMs = failure === null ? null : (facts.failingSinceMs ?? failure.endedMs);
  if (isStuck) return trouble("failing", stuckSinceMs, ...(failedMs === null ? [] : [failedMs]));
  if (failure !== null) return trouble("failing", ...(failedMs === null ? [] : [failedMs]));
  if (t.isWebhook) return calm("webhook");
  if (row.status !== "active") return calm("unknown");
  if (t.landedMs !== null && t.isFuture) return calm("unknown");
  if (t.byDataMs === null || t.cadenceMs === null) {
    const isMissed = t.byNextMs !== null && t.byNextMs > t.allowanceMs + (t.cadenceMs ?? 0);
    return isMissed ? trouble("late") : calm("unknown");
  }
  if (t.byDataMs > t.allowanceMs + Math.max(t.cadenceMs, 15 * MINUTE_MS)) return trouble("stale");
  if (since.length > 0) return trouble("late");
  return calm(t.byDataMs >= 0 || (t.byNextMs ?? -1) >= 0 ? "due" : "fresh");
}

const calm = (word: Word): Judged => ({ word, beganMs: null });

function termsOf(row: Attributes, facts: Facts, nowMs: number) {
  const isWebhook = row.status === "webhook";
  const isRunning = row.last_sync_status === "in_progress";
  const landedMs = instant(row.last_updated_at);
  const isFuture = landedMs !== null && landedMs > nowMs + 10 * MINUTE_MS;
  const minutes = positive(row.frequency_minutes) ?? positive(facts.learnedMinutes);
  const cadenceMs = isWebhook || minutes === null ? null : minutes * MINUTE_MS;
  const usualMs = 1_000 * (facts.usualSeconds ?? row.last_sync_duration_seconds ?? 0);
  const runMs = Math.min(Math.max(0, usualMs), cadenceMs ?? Infinity);
  const allowanceMs =
    runMs +
    (cadenceMs === null
      ? 30 * MINUTE_MS
      : Math.min(30 * MINUTE_MS, Math.max(3 * MINUTE_MS, cadenceMs / 4)));
  const byDataMs =
    landedMs === null || isFuture || cadenceMs === null
      ? null
      : awakeMs(facts.rests, Math.min(landedMs, nowMs), nowMs) - cadenceMs;
  const nextMs = instant(row.next_sync_at);
  const isNextOpen = nextMs !== null && !isWebhook && (landedMs === null || nextMs > landedMs);
  const rest = facts.rests.find(
    ({ fromMs, untilMs }) => nextMs !== null && fromMs < nextMs && nextMs < untilMs,
  );
  const isIdle = isRunning || rest !== undefined;
  const byNextMs =
    isNextOpen && !(isIdle && byDataMs !== null)
      ? awakeMs(facts.rests, rest?.untilMs ?? nextMs, nowMs)
      : null;
  const stuckAfterMs =
    facts.usualSeconds === null
      ? Math.max(2 * (cadenceMs ?? 0), 60 * MINUTE_MS)
      : Math.max(3 * runMs, cadenceMs ?? 0, 30 * MINUTE_MS);
  const startedMs = instant(row.last_sync_started_at);
  return {
    isWebhook,
    isRunning,
    isFuture,
    landedMs,
    cadenceMs,
    allowanceMs,
    byDataMs,
    byNextMs,
    startedMs,
    stuckAfterMs,
  };
}

/** The failure that makes an endpoint failing; null: none does. */
function failureOf(
  row: Attributes,
  facts: Facts,
  t: ReturnType<typeof termsOf>,
): { endedMs: number | null } | null {
  const own = row.last_sync_status;
  const isOwn = own !== null && DECISIVE.has(own);
  const status = isOwn ? own : (facts.last?.status ?? null);
  const endedMs = isOwn ? instant(row.last_sync_finished_at) : (facts.last?.endedMs ?? null);
  if (status !== "failed" && status !== "timed_out") return null;
  if (t.landedMs !== null && endedMs !== null && t.landedMs > endedMs) return null;
  const isOverdue = [t.byDataMs, t.byNextMs].some((ms) => ms !== null && ms > t.allowanceMs);
  const counts = facts.failures >= 2 || t.landedMs === null || t.isWebhook || isOverdue;
  return counts ? { endedMs } : null;
}

/** Outcomes that say how an endpoint is doing. */
export const DECISIVE: ReadonlySet<string> = new Set(["completed", "failed", "timed_out"]);

export function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}
