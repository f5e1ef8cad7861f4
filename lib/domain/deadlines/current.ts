import { isPausedAtSource } from "@/lib/domain/sync";
import { isQuietAt, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { windowFromMs, type DeadlineDay, type FeedPace } from "./calendar";
import type { DayOutcome, Deadline, PromiseState } from "./deadline";
import { canHold, type FeedFacts } from "./holding";
import { closesFromMs } from "./outcome";
import type { PlannedDeadline } from "./plan";
import { isAtRisk, riskTurnsMs, type OpenDeadline, type Risk } from "./risk";

/** The last closed day of an endpoint. Epoch milliseconds on the API's clock. */
export type LastClosedDay = {
  deadlineId: string;
  date: string;
  dueMs: number;
  outcome: DayOutcome;
  /** Of a missed day; null: no data yet, or not missed. */
  lateMs: number | null;
  isAtMost: boolean;
};

/** What is shown of an endpoint's deadlines. Instants are epoch milliseconds, durations milliseconds. */
export type CurrentDeadline = {
  deadlineId: string;
  date: string;
  dueMs: number;
  state: PromiseState;
  /** Start of the attempt that counts; null: none is known, or the deadline isn't open. */
  attemptMs: number | null;
  usualMs: number | null;
  lateMs: number | null;
  isAtMost: boolean;
};

/** An endpoint at a snapshot. */
export type CurrentEndpoint = {
  /** Its data received; null: none, or not credible. */
  landedMs: number | null;
  facts: FeedFacts;
  /** Judges a deadline that isn't kept yet; null: what it takes isn't recorded. */
  risk: ((open: OpenDeadline) => Risk) | null;
  /** Planned quiet times that concern it. */
  quiet: readonly PlannedQuiet[];
};

/**
 * What is shown of an endpoint's deadlines: of those whose window has begun and that aren't closed the next one, before
 * one that is met already; else the outcome of the last closed day; else the next one.
 * @param planned those that include the endpoint, without the days that a narrower one overrules
 * @param last its last closed day; null: none
 * @param isClosed whether a day is closed that would be in play by a later change of its deadline
 * @param before what was shown of it after the last snapshot: data that has kept a deadline may have been replaced since
 * @param hasSameWindows whether windows begin when they did then
 * @param nowMs the snapshot's time, epoch milliseconds on the API's clock
 * @returns null: no deadline holds
 */
export function currentDeadline(
  endpoint: CurrentEndpoint,
  planned: readonly PlannedDeadline[],
  {
    last,
    isClosed = () => false,
    before,
    hasSameWindows = true,
    nowMs,
  }: {
    last: LastClosedDay | null;
    isClosed?: (deadlineId: string, date: string) => boolean;
    before: Pick<CurrentDeadline, "deadlineId" | "date" | "state"> | null;
    hasSameWindows?: boolean;
    nowMs: number;
  },
): CurrentDeadline | null {
  if (planned.length === 0) return null;
  const { facts } = endpoint;
  const isOver = (id: string, date: string) =>
    (last?.deadlineId === id && last.date === date) || isClosed(id, date);
  let inPlay: CurrentDeadline | null = null;
  let next: CurrentDeadline | null = null;
  for (const { deadline, days } of planned) {
    for (const day of days) {
      if (closesFromMs(day) <= nowMs || !canHold(deadline, day, facts)) continue;
      if (isOver(deadline.id, day.date)) continue;
      if (windowFromMs(day, facts) > nowMs) {
        if (next === null || day.dueMs < next.dueMs) next = shown(deadline, day, "open");
        break;
      }
      const wasMet =
        before?.deadlineId === deadline.id && before.date === day.date && before.state === "met";
      const open = openDay(endpoint, deadline, day, { wasMet, hasSameWindows, nowMs });
      if (inPlay === null || isNearer(open, inPlay)) inPlay = open;
    }
  }
  if (inPlay !== null) return inPlay;
  const isKnown = ({ deadline: { id, endedMs } }: PlannedDeadline) =>
    id === last?.deadlineId && endedMs === null;
  if (last !== null && planned.some(isKnown))
    return { ...last, state: last.outcome, attemptMs: null, usualMs: null };
  return next;
}

/**
 * When what is shown of an unchanged endpoint may change by time alone.
 * @param usualMs how long its runs usually take; null: unknown
 * @returns epoch milliseconds, after `nowMs`; Infinity: not while these days last
 */
export function nextTurnMs(
  planned: readonly PlannedDeadline[],
  pace: FeedPace,
  usualMs: number | null,
  nowMs: number,
): number {
  let turnMs = Infinity;
  for (const { days } of planned)
    for (const day of days)
      for (const ms of [
        windowFromMs(day, pace),
        day.dueMs,
        closesFromMs(day),
        ...riskTurnsMs(day, usualMs),
      ])
        if (ms > nowMs && ms < turnMs) turnMs = ms;
  return turnMs;
}

function isNearer(a: CurrentDeadline, b: CurrentDeadline): boolean {
  if ((a.state === "met") !== (b.state === "met")) return b.state === "met";
  return a.dueMs < b.dueMs;
}

function openDay(
  { landedMs, facts, risk: riskOf, quiet }: CurrentEndpoint,
  deadline: Deadline,
  day: DeadlineDay,
  { wasMet, hasSameWindows, nowMs }: { wasMet: boolean; hasSameWindows: boolean; nowMs: number },
): CurrentDeadline {
  const fromMs = windowFromMs(day, facts);
  const isMet = landedMs !== null && fromMs <= landedMs && landedMs <= day.limitMs;
  // Later data replaces what met it, and an API may report earlier data for a while.
  const isStillMet = wasMet && (hasSameWindows || (landedMs ?? fromMs) >= fromMs);
  if (isMet || isStillMet) return shown(deadline, day, "met");
  if (nowMs >= day.dueMs) return shown(deadline, day, "being_checked");
  if (riskOf === null) return shown(deadline, day, "open");
  const willBeExcused =
    isPausedAtSource(facts) || !facts.reported || quiet.some((one) => isQuietAt(one, day.dueMs));
  if (willBeExcused) return shown(deadline, day, "open");
  const risk = riskOf({ fromMs, dueMs: day.dueMs, limitMs: day.limitMs });
  return {
    ...shown(deadline, day, isAtRisk(risk) ? "at_risk" : "open"),
    attemptMs: "attemptMs" in risk ? risk.attemptMs : null,
    usualMs: "usualMs" in risk ? risk.usualMs : null,
  };
}

function shown(deadline: Deadline, day: DeadlineDay, state: PromiseState): CurrentDeadline {
  return {
    deadlineId: deadline.id,
    date: day.date,
    dueMs: day.dueMs,
    state,
    attemptMs: null,
    usualMs: null,
    lateMs: null,
    isAtMost: false,
  };
}
