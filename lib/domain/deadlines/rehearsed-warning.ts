import type { Period } from "@/lib/domain/history";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { isAtRisk, judgedFromMs, riskOf, riskTurnsMs, type OpenDeadline } from "./risk";

/** A recorded run. Epoch milliseconds on the API's clock. */
export type PastRun = {
  startedMs: number;
  /** Null: it was never seen to end. */
  finishedMs: number | null;
};

/** What is known of a feed's attempts around a past deadline. Durations are milliseconds. */
export type PastAttempts = {
  /** When the data was due, as received; null: the feed was removed. */
  status: string | null;
  /** At that time; null: unknown. */
  cadenceMs: number | null;
  /** How long a run usually takes; null: unknown. */
  usualMs: number | null;
  /** Ascending: the last one before the deadline is judged, and all until it is over. */
  runs: readonly PastRun[];
  /** When nothing could have been warned of, in any order. */
  gaps: readonly Period[];
};

/**
 * When a warning of a past deadline would have been sent. Schedules aren't recorded: the next sync is taken to have been
 * one cadence after the last recorded start. As live, none is sent from the promised time on.
 * @param overMs when its data was received; Infinity: it wasn't
 * @returns epoch milliseconds; null: none would have been sent; undefined: no attempts are recorded, so it isn't known
 */
export function rehearsedWarningMs(
  open: OpenDeadline,
  overMs: number,
  { status, cadenceMs, usualMs, runs, gaps }: PastAttempts,
): number | null | undefined {
  if (status === "webhook") return null;
  const fromMs = judgedFromMs(open);
  const untilMs = Math.min(overMs, open.dueMs);
  const turns = [
    fromMs,
    ...runs.flatMap(({ startedMs, finishedMs }) => [startedMs, finishedMs ?? startedMs]),
    ...riskTurnsMs(open, usualMs),
  ];
  const seen = turns
    .map((ms) => seenFromMs(Math.max(ms, fromMs), gaps))
    .filter((ms) => ms < untilMs)
    .toSorted((a, b) => a - b);
  for (const ms of seen) {
    const at = runs.findLastIndex(({ startedMs }) => startedMs <= ms);
    const run = runs[at];
    if (run === undefined || cadenceMs === null || usualMs === null) return undefined;
    const endedMs = run.finishedMs ?? runs[at + 1]?.startedMs ?? Infinity;
    const row = {
      status: status ?? "",
      last_sync_status: endedMs > ms ? "in_progress" : null,
      last_sync_started_at: iso(run.startedMs),
      next_sync_at: isoOrNull(run.startedMs + cadenceMs),
      last_sync_duration_seconds: usualMs / 1_000,
      frequency_minutes: null,
    };
    if (isAtRisk(riskOf(row, NOTHING_KNOWN, open, ms))) return ms;
  }
  return null;
}

/** The first instant from `ms` on at which a check could have shown anything. */
function seenFromMs(ms: number, gaps: readonly Period[]): number {
  const gap = gaps.find(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs);
  return gap === undefined ? ms : seenFromMs(gap.untilMs, gaps);
}
