import { isDeepStrictEqual } from "node:util";
import type { RowPromise } from "@/lib/contracts/row-promise";
import { clockLead, isConfirmed, type ClockLead } from "@/lib/domain/deadlines/clock-lead";
import {
  currentDeadline,
  nextTurnMs,
  type CurrentDeadline,
  type LastClosedDay,
} from "@/lib/domain/deadlines/current";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import { closesFromMs, latenessOf } from "@/lib/domain/deadlines/outcome";
import { planDeadlines, type DeadlinePlan } from "@/lib/domain/deadlines/plan";
import type { Period } from "@/lib/domain/history";
import { concerns } from "@/lib/domain/quiet/concerns";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { riskOf, usualDurationMs } from "@/lib/domain/deadlines/risk";
import { instantMs, iso, isoOrNull } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import { credibleMs } from "@/lib/domain/verdict";
import type { Database } from "@/lib/server/store/database";
import {
  closedDayKey,
  readAwaitedDays,
  readClosedAmong,
  readClosedDays,
  readDeadlinesSince,
  readEarlierRules,
  readLeftRisks,
  type AwaitedDay,
  type DeadlineFold,
  type EarlierRule,
  type ReadDeadlineFold,
} from "@/lib/server/store/deadlines/read-deadlines";
import {
  NO_DEADLINE_CHANGES,
  type DeadlineChanges,
  type RiskChange,
} from "@/lib/server/store/deadlines/write-days";
import {
  attributesOf,
  factsOf,
  type EndpointRecord,
  type ObservedChanges,
} from "@/lib/server/store/sync/records";
import { inSlices } from "@/lib/server/slices";
import type { Steps } from "@/lib/domain/steps";
import { closeDays, type Candidate, type DayToClose } from "./close-days";

/** A company's deadlines as the leader remembers them between snapshots. */
export type WatchedDeadlines = {
  fold: DeadlineFold;
  lead: ClockLead;
  deadlines: readonly Deadline[];
  /** Rules that were changed since the last day was closed, in that order: days that were over by then keep them. */
  earlierRules: readonly EarlierRule[];
  plan: DeadlinePlan;
  /** Keys of closed days that the plan may have once more: their deadline was put off, or the clock set back. */
  closed: ReadonlySet<string>;
  last: ReadonlyMap<string, LastClosedDay>;
  /**
   * Endpoints with missed days that still lack data. Their days are read when data arrives: those of a feed that receives
   * none grow by one a day.
   */
  awaited: ReadonlySet<string>;
  /** Whether deadlines may have changed since rows were last shown by them. */
  isChanged: boolean;
  /** Endpoints with a risk that an earlier version left open; none once a snapshot was recorded. */
  left: readonly string[];
  settled: SettledRows;
};

/** Rows that show their promise as it is, until they change or until a time; valid for one plan and its quiet times. */
type SettledRows = {
  rows: Map<string, { record: EndpointRecord; untilMs: number }>;
  quiet: string;
};

/** How far ahead days are planned: a window is within a day of its deadline. */
const PLANNED_MS = 50 * HOUR_MS;
/** A plan is used for this long. */
const PLAN_LASTS_MS = DAY_MS;
/** Days of endpoints closed at one snapshot; after a long absence the rest follows at the next ones. */
const MAX_CLOSED = 5_000;

/**
 * The company's deadlines: as remembered, unless one changed or the plan is used up.
 * @param read as recorded now
 * @param now a snapshot's time on the API's clock and on ours, epoch milliseconds
 * @returns null: the company never had one
 */
export async function openDeadlines(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  before: WatchedDeadlines | null,
  read: ReadDeadlineFold | null,
  now: { apiMs: number; ownMs: number },
): Promise<WatchedDeadlines | null> {
  if (read === null) return null;
  const { fold, databaseMs } = read;
  const lead = clockLead(before?.lead ?? null, { ...now, databaseMs });
  // A wrong clock may be years ahead.
  const apiNowMs = isConfirmed(lead, now.ownMs) ? now.apiMs : now.apiMs - lead.leadMs;
  if (before !== null && before.fold.version === fold.version) {
    const isPlanned =
      apiNowMs + PLANNED_MS - PLAN_LASTS_MS < before.plan.within.untilMs &&
      before.plan.within.fromMs <= fold.closedUntilMs;
    const after = { ...before, fold, lead };
    return isPlanned ? after : withPlan(database, company, after, apiNowMs);
  }
  const deadlines = await readDeadlinesSince(database, company, fold.closedUntilMs - DAY_MS);
  const earlierRules = await readEarlierRules(database, company, fold.closedUntilMs);
  const { last, awaited } = await readClosedDays(database, company);
  const left = before === null ? await readLeftRisks(database, company) : before.left;
  const opened = { fold, lead, deadlines, earlierRules, last, awaited, isChanged: true, left };
  return withPlan(database, company, opened, apiNowMs);
}

async function withPlan(
  database: Pick<Database, "pool">,
  company: string,
  watched: Omit<WatchedDeadlines, "plan" | "closed" | "settled">,
  apiNowMs: number,
): Promise<WatchedDeadlines> {
  const within = {
    fromMs: Math.min(watched.fold.closedUntilMs, apiNowMs),
    untilMs: apiNowMs + PLANNED_MS,
  };
  const plan = await inSlices(planDeadlines(watched.deadlines, within));
  const open = plan.all.flatMap(({ deadline: { id: deadlineId }, days }) =>
    days
      .filter((day) => closesFromMs(day) > within.fromMs)
      .map(({ date }) => ({ deadlineId, date })),
  );
  const closed = await readClosedAmong(database, company, open);
  return { ...watched, plan, closed, settled: { rows: new Map(), quiet: "[]" } };
}

type Snapshot = {
  endpoints: ReadonlyMap<string, EndpointRecord>;
  changes: ObservedChanges;
  /** Gaps of the company, including one before this snapshot. */
  gaps: readonly Period[];
  /** Planned quiet times of the hours ahead. */
  quiet: readonly PlannedQuiet[];
  /** When the previous recorded snapshot was observed; null: not recorded. */
  observedBeforeMs: number | null;
  /** Our clock. */
  ownNowMs: number;
};

/** What a snapshot changes: to be recorded with it, and to be remembered once it is. */
export type WatchedSnapshot = {
  deadlines: DeadlineChanges;
  watched: WatchedDeadlines | null;
  /** By id, where it differs from the record's. */
  promises: ReadonlyMap<string, RowPromise | null>;
};

/** Applies one complete snapshot to a company's deadlines. @param watched null: the company never had one */
export async function watchDeadlines(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  watched: WatchedDeadlines | null,
  snapshot: Snapshot,
): Promise<WatchedSnapshot> {
  if (watched === null)
    return { deadlines: NO_DEADLINE_CHANGES, watched: null, promises: new Map() };
  const isClockConfirmed = isConfirmed(watched.lead, snapshot.ownNowMs);
  const { closed, closedUntilMs } = isClockConfirmed
    ? await closeDue(database, company, watched, snapshot)
    : { closed: [], closedUntilMs: watched.fold.closedUntilMs };
  const { received, awaited } = await receivedDays(database, company, watched.awaited, snapshot);
  const last = new Map(watched.last);
  for (const day of [...closed.map(lastOf), ...received]) {
    const before = last.get(day.endpointId);
    if (before === undefined || before.dueMs <= day.dueMs) last.set(day.endpointId, day);
    watched.settled.rows.delete(day.endpointId);
  }
  // A row is unchanged while the time of its data becomes credible.
  for (const { endpointId } of snapshot.changes.landings) watched.settled.rows.delete(endpointId);
  const quiet = JSON.stringify(snapshot.quiet);
  const { settled } = watched;
  const after: WatchedDeadlines = {
    ...watched,
    // Rows are shown by them below, unless the clock is doubtful.
    isChanged: isClockConfirmed ? false : watched.isChanged,
    left: [],
    settled: quiet === settled.quiet ? settled : { rows: new Map(), quiet },
    fold: { ...watched.fold, closedUntilMs },
    closed:
      closed.length === 0
        ? watched.closed
        : new Set([...watched.closed, ...closed.map((day) => keyOf(lastOf(day)))]),
    last,
    awaited:
      closed.length === 0
        ? awaited
        : new Set([...awaited, ...closed.filter(isAwaited).map(({ endpointId }) => endpointId)]),
  };
  const deadlines = {
    fold: watched.fold,
    closedUntilMs,
    closed: closed.map((day) => ({
      ...day,
      endpointKey: keyNameOf(snapshot.endpoints.get(day.endpointId)),
    })),
    received,
  };
  const promises = isClockConfirmed
    ? await inSlices(promisesOf(after, snapshot, watched.isChanged))
    : new Map();
  const changed = risksOf(after.plan, promises, snapshot.endpoints);
  const left = watched.left.filter((id) => !changed.some(({ endpointId }) => endpointId === id));
  const risks = [
    ...changed,
    ...left.map((endpointId) => ({ endpointId, risk: null })),
    ...snapshot.changes.endpoints.flatMap(({ id, record }) =>
      record.removedMs !== null && record.promise?.state === "at_risk"
        ? [{ endpointId: id, risk: null }]
        : [],
    ),
  ];
  return { deadlines: { ...deadlines, risks }, watched: after, promises };
}

/** Which endpoints' risks changed with what is shown of them. */
function risksOf(
  plan: DeadlinePlan,
  promises: ReadonlyMap<string, RowPromise | null>,
  endpoints: ReadonlyMap<string, EndpointRecord>,
): RiskChange[] {
  return [...promises].flatMap(([endpointId, promise]): RiskChange[] => {
    const record = endpoints.get(endpointId);
    const wasAtRisk = record?.promise?.state === "at_risk";
    if (promise?.state !== "at_risk") return wasAtRisk ? [{ endpointId, risk: null }] : [];
    if (record === undefined) return [];
    const { id: deadlineId, date, due_at, attempt_at, usually_seconds: usuallySeconds } = promise;
    const partner = attributesOf(record.row).partner_name;
    const dueMs = Date.parse(due_at);
    const days = plan
      .of({ id: endpointId, partner })
      .find(({ deadline }) => deadline.id === deadlineId);
    const limitMs = days?.days.find((day) => day.date === date)?.limitMs ?? dueMs;
    const attemptMs = instantMs(attempt_at);
    const endpointKey = keyNameOf(record);
    const risk = {
      deadlineId,
      date,
      partner,
      endpointKey,
      dueMs,
      limitMs,
      attemptMs,
      usuallySeconds,
    };
    return [{ endpointId, risk }];
  });
}

async function closeDue(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  watched: WatchedDeadlines,
  snapshot: Snapshot,
): Promise<{ closed: ClosedDay[]; closedUntilMs: number }> {
  const { closedUntilMs } = watched.fold;
  const untilMs = Math.max(snapshot.changes.apiNowMs, closedUntilMs);
  const closed = new Map<string, ClosedDay>();
  let fromMs = closedUntilMs;
  const turns = watched.earlierRules.map((one) => one.untilMs).filter((ms) => ms < untilMs);
  for (const turnMs of [...turns, untilMs]) {
    if (turnMs <= fromMs) continue;
    const rules = await rulesAt(watched, { fromMs, untilMs: turnMs });
    const part = await closeWithin(database, company, rules, { fromMs, untilMs: turnMs }, snapshot);
    for (const day of part.closed) {
      const key = keyOf(lastOf(day));
      // The day of a deadline that was put off stays as it was closed.
      if (!watched.closed.has(key) && !closed.has(key)) closed.set(key, day);
    }
    fromMs = part.closedUntilMs;
    if (fromMs < turnMs) break;
  }
  return { closed: [...closed.values()], closedUntilMs: fromMs };
}

/** The deadlines as they were throughout a period after the last closed day. */
async function rulesAt(
  { deadlines, earlierRules, plan }: WatchedDeadlines,
  within: Period,
): Promise<Pick<WatchedDeadlines, "deadlines" | "plan">> {
  const changedLater = earlierRules.filter(({ untilMs }) => untilMs > within.fromMs);
  if (changedLater.length === 0) return { deadlines, plan };
  // Of those of one deadline, the first to be changed.
  const rules = new Map(changedLater.toReversed().map(({ id, rule }) => [id, rule]));
  const then = deadlines.map((deadline) => ({ ...deadline, ...rules.get(deadline.id) }));
  return { deadlines: then, plan: await inSlices(planDeadlines(then, within)) };
}

/** Closes the days of a period: those that a snapshot after its start, and up to its end, closes. */
async function closeWithin(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  { deadlines, plan }: Pick<WatchedDeadlines, "deadlines" | "plan">,
  { fromMs, untilMs }: Period,
  { endpoints, changes, gaps, observedBeforeMs }: Snapshot,
): Promise<{ closed: ClosedDay[]; closedUntilMs: number }> {
  if (plan.nextClosingMs(fromMs) > untilMs) return { closed: [], closedUntilMs: untilMs };
  const due = plan.all
    .flatMap(({ deadline, days }) =>
      days.map((day) => ({ deadline, day, atMs: closesFromMs(day) })),
    )
    .filter(({ atMs }) => fromMs < atMs && atMs <= untilMs)
    .toSorted((a, b) => a.atMs - b.atMs);
  const candidates = [...endpoints].map(([id, { row }]) => ({
    id,
    partner: attributesOf(row).partner_name,
  }));
  const { days, isAll, closedUntilMs } = firstDays(due, candidates);
  const closed = await closeDays(database, company, {
    days,
    deadlines,
    endpoints: candidates,
    gaps,
    snapshot: {
      atMs: changes.apiNowMs,
      facts: changes.facts,
      landings: changes.landings.map((landing) => ({
        ...landing,
        seenMs: changes.apiNowMs,
        seenAfterMs: observedBeforeMs,
      })),
    },
  });
  return { closed, closedUntilMs: isAll ? untilMs : closedUntilMs };
}

/** As many days as are closed at once, at least those of one instant. */
function firstDays(
  due: readonly (DayToClose & { atMs: number })[],
  candidates: readonly Candidate[],
): { days: DayToClose[]; isAll: boolean; closedUntilMs: number } {
  const partners = new Map<string, number>();
  for (const { partner } of candidates) partners.set(partner, (partners.get(partner) ?? 0) + 1);
  const days: DayToClose[] = [];
  let [count, closedUntilMs] = [0, 0];
  for (const { atMs, ...one } of due) {
    if (count >= MAX_CLOSED && atMs > closedUntilMs) return { days, isAll: false, closedUntilMs };
    const { endpointId, partner } = one.deadline;
    count +=
      endpointId === null
        ? partner === null
          ? candidates.length
          : (partners.get(partner) ?? 0)
        : 1;
    days.push(one);
    closedUntilMs = atMs;
  }
  return { days, isAll: true, closedUntilMs };
}

const isAwaited = ({ outcome, receivedMs }: ClosedDay) =>
  outcome === "missed" && receivedMs === null;

function lastOf({
  endpointId,
  deadline,
  day,
  outcome,
  lateMs,
  isAtMost,
}: ClosedDay): LastClosedDay & { endpointId: string } {
  const { date, dueMs } = day;
  return { endpointId, deadlineId: deadline.id, date, dueMs, outcome, lateMs, isAtMost };
}

/** The missed days whose first data this snapshot shows. @returns `awaited`: the endpoints that have others */
async function receivedDays(
  database: Pick<Database, "pool">,
  company: string,
  awaited: WatchedDeadlines["awaited"],
  { changes, gaps, observedBeforeMs }: Snapshot,
): Promise<Pick<DeadlineChanges, "received"> & Pick<WatchedDeadlines, "awaited">> {
  const landed = new Map(
    changes.landings.flatMap(({ endpointId, landedMs }) =>
      awaited.has(endpointId) ? [[endpointId, landedMs] as const] : [],
    ),
  );
  if (landed.size === 0) return { received: [], awaited };
  const after = new Set([...awaited].filter((id) => !landed.has(id)));
  const days = await readAwaitedDays(database, company, [...landed.keys()]);
  const received = days.flatMap((day) => {
    const landedMs = landed.get(day.endpointId);
    if (landedMs === undefined || landedMs <= day.limitMs) {
      after.add(day.endpointId);
      return [];
    }
    const seen = { landedMs, seenMs: changes.apiNowMs, seenAfterMs: observedBeforeMs };
    return { ...day, ...latenessOf(day, seen, gaps), receivedMs: landedMs };
  });
  return { received, awaited: after };
}

const keyOf = ({ endpointId, deadlineId, date }: Omit<AwaitedDay, "limitMs">) =>
  closedDayKey(endpointId, deadlineId, date);

function keyNameOf(record: EndpointRecord | undefined): string {
  return record === undefined ? "" : attributesOf(record.row).endpoint_key;
}

/** @param areDeadlinesChanged whether they may have changed since rows were last shown by them */
function* promisesOf(
  { plan, closed, last, settled: { rows: settled } }: WatchedDeadlines,
  { endpoints, quiet, changes }: Snapshot,
  areDeadlinesChanged: boolean,
): Steps<Map<string, RowPromise | null>> {
  const nowMs = changes.apiNowMs;
  const changed = new Map<string, RowPromise | null>();
  const paced = new Set(changes.facts.map(({ endpointId }) => endpointId));
  for (const [id, record] of endpoints) {
    if (record.removedMs !== null) continue;
    const before = settled.get(id);
    if (before?.record === record && nowMs < before.untilMs) continue;
    const facts = factsOf(record);
    const where = { id, partner: facts.partner };
    const planned = plan.of(where);
    if (planned.length === 0 && record.promise === null) continue;
    yield;
    const { promise: shown } = record;
    const row = attributesOf(record.row);
    const current = currentDeadline(
      {
        landedMs: credibleMs(row.last_updated_at, nowMs),
        facts,
        risk: (open) => riskOf(row, record.known, open, nowMs),
        quiet: quiet.filter((one) => concerns(one, where)),
      },
      planned,
      {
        last: last.get(id) ?? null,
        isClosed: (deadlineId, date) => closed.has(closedDayKey(id, deadlineId, date)),
        before: shown === null ? null : { ...shown, deadlineId: shown.id },
        hasSameWindows: !areDeadlinesChanged && !paced.has(id),
        nowMs,
      },
    );
    const promise = current === null ? null : rowPromise(current);
    if (!isDeepStrictEqual(promise, record.promise)) changed.set(id, promise);
    else {
      const usualMs = usualDurationMs(row, record.known);
      settled.set(id, { record, untilMs: nextTurnMs(planned, facts, usualMs, nowMs) });
    }
  }
  return changed;
}

/** As a row shows it. */
export function rowPromise(current: CurrentDeadline): RowPromise {
  const { usualMs, lateMs } = current;
  return {
    id: current.deadlineId,
    date: current.date,
    due_at: iso(current.dueMs),
    state: current.state,
    attempt_at: isoOrNull(current.attemptMs),
    usually_seconds: usualMs === null ? null : usualMs / 1000,
    late_seconds: lateMs === null ? null : Math.round(lateMs / 1000),
    late_at_most: current.isAtMost,
  };
}
