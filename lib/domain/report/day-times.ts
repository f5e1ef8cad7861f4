import type { Period } from "@/lib/domain/history";
import { type Verdict, VERDICTS } from "@/lib/domain/sync";

/**
 * How an endpoint's time is divided, from the verdicts recorded by our checks. Instants are epoch milliseconds,
 * durations milliseconds.
 */

/** Time by category. The last two have no share in a report. */
export type Times = {
  /** Fresh or due. */
  onTimeMs: number;
  /** Late, stale or failing. */
  overdueMs: number;
  /** Observed within a planned quiet time, whatever the verdict. */
  plannedQuietMs: number;
  /** In a gap, or with an unknown verdict. */
  notObservedMs: number;
  webhookMs: number;
  pausedMs: number;
};

/** The overdue verdicts, worst first. */
export const OVERDUE_VERDICTS = ["failing", "stale", "late"] as const satisfies readonly Verdict[];
export type OverdueVerdict = (typeof OVERDUE_VERDICTS)[number];

/** Lengths of continuous overdue time: enough to join a day with its neighbours. */
export type OverduePeriods = {
  /** At the start. */
  leadMs: number;
  /** Anywhere, including the start and the end. */
  longestMs: number;
  /** At the end. */
  tailMs: number;
};

export type DayTimes = Times & {
  /** The worst overdue verdict; null: it was never overdue. */
  worst: OverdueVerdict | null;
  overdue: OverduePeriods;
};

/** Recorded data of an endpoint over a period. */
export type SeenEndpoint = {
  /** The verdict at the start of the period; null: unknown. */
  before: Verdict | null;
  /** Ascending; null: it was removed. */
  changes: readonly { atMs: number; verdict: Verdict | null }[];
  /** Whether the endpoint was sent by webhook at the start of the period; its failures then don't count as overdue. */
  wasWebhook: boolean;
  /** Gaps, and the time before the record started. */
  unobserved: readonly Period[];
  /** When the endpoint was absent although the company was observed; not counted at all. */
  absent: readonly Period[];
  /** Planned quiet times. */
  quiet: readonly Period[];
};

type Kind = keyof Times;

export const NO_TIME: Times = {
  onTimeMs: 0,
  overdueMs: 0,
  plannedQuietMs: 0,
  notObservedMs: 0,
  webhookMs: 0,
  pausedMs: 0,
};

/**
 * Divides a period into categories.
 * Gaps take precedence, so that our own blindness counts neither for nor against the partner. A webhook has no
 * schedule: while it fails, or is missing from a check, its time still counts as webhook time.
 */
export function dayTimes(seen: SeenEndpoint, within: Period): DayTimes {
  const times: Times = { ...NO_TIME };
  const overdue: OverduePeriods = { leadMs: 0, longestMs: 0, tailMs: 0 };
  let worst: OverdueVerdict | null = null;
  let runningMs = 0;
  let isLead = true;
  let verdict = seen.before;
  let isWebhook = seen.wasWebhook;
  let next = 0;
  for (const piece of piecesOf(seen, within)) {
    for (;;) {
      const change = seen.changes[next];
      if (change === undefined || change.atMs > piece.fromMs) break;
      verdict = change.verdict;
      isWebhook = staysWebhook(isWebhook, verdict);
      next += 1;
    }
    isWebhook = staysWebhook(isWebhook, verdict);
    const kind = kindOf(seen, verdict, isWebhook, piece);
    const lengthMs = piece.untilMs - piece.fromMs;
    if (kind !== null) times[kind] += lengthMs;
    if (kind === "overdueMs") {
      runningMs += lengthMs;
      overdue.longestMs = Math.max(overdue.longestMs, runningMs);
      if (isLead) overdue.leadMs = runningMs;
      worst = worseOverdue(worst, overdueVerdict(verdict));
    } else {
      runningMs = 0;
      isLead = false;
    }
  }
  return { ...times, worst, overdue: { ...overdue, tailMs: runningMs } };
}

/** @returns the worse of the two; null: neither was overdue */
export function worseOverdue(
  a: OverdueVerdict | null,
  b: OverdueVerdict | null,
): OverdueVerdict | null {
  if (a === null || b === null) return a ?? b;
  return VERDICTS.indexOf(a) < VERDICTS.indexOf(b) ? a : b;
}

function overdueVerdict(verdict: Verdict | null): OverdueVerdict | null {
  return OVERDUE_VERDICTS.find((word) => word === verdict) ?? null;
}

/** The period cut at every possible change, ascending, without empty pieces. */
function piecesOf(seen: SeenEndpoint, { fromMs, untilMs }: Period): Period[] {
  if (!(untilMs > fromMs)) return [];
  const cuts = new Set([fromMs, untilMs]);
  const cut = (atMs: number) => {
    if (atMs > fromMs && atMs < untilMs) cuts.add(atMs);
  };
  for (const { atMs } of seen.changes) cut(atMs);
  for (const period of [...seen.unobserved, ...seen.absent, ...seen.quiet]) {
    cut(period.fromMs);
    cut(period.untilMs);
  }
  const sorted = [...cuts].toSorted((a, b) => a - b);
  return sorted.slice(1).map((atMs, at) => ({ fromMs: sorted[at] ?? fromMs, untilMs: atMs }));
}

function staysWebhook(isWebhook: boolean, verdict: Verdict | null): boolean {
  if (verdict === "webhook") return true;
  return isWebhook && (verdict === "failing" || verdict === "unknown");
}

/** @returns null for time that isn't counted */
function kindOf(
  { unobserved, absent, quiet }: SeenEndpoint,
  verdict: Verdict | null,
  isWebhook: boolean,
  piece: Period,
): Kind | null {
  if (holds(absent, piece)) return null;
  if (holds(unobserved, piece)) return "notObservedMs";
  if (isWebhook) return "webhookMs";
  if (verdict === "paused") return "pausedMs";
  if (verdict === null || verdict === "unknown") return "notObservedMs";
  if (holds(quiet, piece)) return "plannedQuietMs";
  return overdueVerdict(verdict) === null ? "onTimeMs" : "overdueMs";
}

function holds(periods: readonly Period[], piece: Period): boolean {
  return periods.some(({ fromMs, untilMs }) => fromMs <= piece.fromMs && untilMs >= piece.untilMs);
}

/** The time that shares are calculated from. */
export function countedMs(times: Times): number {
  return times.onTimeMs + times.overdueMs + times.plannedQuietMs + times.notObservedMs;
}

export function addTimes(a: Times, b: Times): Times {
  return {
    onTimeMs: a.onTimeMs + b.onTimeMs,
    overdueMs: a.overdueMs + b.overdueMs,
    plannedQuietMs: a.plannedQuietMs + b.plannedQuietMs,
    notObservedMs: a.notObservedMs + b.notObservedMs,
    webhookMs: a.webhookMs + b.webhookMs,
    pausedMs: a.pausedMs + b.pausedMs,
  };
}
