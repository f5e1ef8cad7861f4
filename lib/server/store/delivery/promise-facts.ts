import { and, asc, eq, gt, inArray, isNull, min, or, sql, type SQL } from "drizzle-orm";
import type { RowPromise } from "@/lib/contracts/row-promise";
import { deadlineDay } from "@/lib/domain/deadlines/calendar";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { SETTLING_MS } from "@/lib/domain/deadlines/outcome";
import type {
  JudgedFeed,
  PromiseDay,
  RiskPeriod,
  ShownFeed,
  WrittenWarning,
} from "@/lib/domain/delivery/plan-promises";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import type { Orm } from "@/lib/server/store/database";
import { readChangedSince } from "@/lib/server/store/deadlines/read-deadlines";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { deadlineDays, deadlineRisks, deadlines } from "@/lib/server/store/schema/deadlines";
import { deliveries } from "@/lib/server/store/schema/delivery";
import { endpoints } from "@/lib/server/store/schema/record";

/** A day of a promise; `date` is in its zone. */
type NamedDay = { deadlineId: string; date: string };

/**
 * Days of a company's promises that were at risk and due since an instant, that were closed as missed since it (a day
 * closes late when the company couldn't be seen), or that are named. A day that isn't closed is due when its promise has
 * it now, or had it last.
 * @param given.sinceMs epoch milliseconds on the API's clock
 * @param given.also days that were announced: they are read however old they are, with what is shown of their feeds
 * @param given.closedMs see `DeliveryFacts.promisesClosedMs`
 * @throws Failure `invalid_request` when it needs more rows than are left in the budget
 */
export async function readPromiseDays(
  orm: Orm,
  company: string,
  { sinceMs, also, closedMs }: { sinceMs: number; also: readonly NamedDay[]; closedMs: number },
  budget: Pick<RowBudget, "read">,
): Promise<PromiseDay[]> {
  const since = new Date(sinceMs);
  const risks = await budget.read((limit) =>
    orm
      .select(RISK_COLUMNS)
      .from(deadlineRisks)
      .where(
        and(
          eq(deadlineRisks.company, company),
          or(gt(deadlineRisks.dueAt, since), isAmongDays(deadlineRisks, also)),
        ),
      )
      .orderBy(asc(deadlineRisks.dueAt), asc(deadlineRisks.seq))
      .limit(limit),
  );
  const judged = await budget.read((limit) =>
    orm
      .select(DAY_COLUMNS)
      .from(deadlineDays)
      .where(
        and(
          eq(deadlineDays.company, company),
          or(
            and(eq(deadlineDays.outcome, "missed"), gt(deadlineDays.closedAt, since)),
            and(
              isAmongDays(deadlineDays, [...also, ...risks]),
              sql`(${deadlineDays.outcome} in ('missed', 'not_observed') or exists (
                select from deadline_risks risk where risk.company = ${deadlineDays.company}
                  and risk.deadline_id = ${deadlineDays.deadlineId} and risk.date = ${deadlineDays.date}
                  and risk.endpoint_id = ${deadlineDays.endpointId}))`,
            ),
          ),
        ),
      )
      .orderBy(asc(deadlineDays.dueAt), asc(deadlineDays.endpointKey), asc(deadlineDays.endpointId))
      .limit(limit),
  );
  const rules = await readRules(orm, risks);
  const shown = await readShown(orm, company, { days: also, risks, checkedMs: closedMs });
  const days = new Map<string, PromiseDay & { risks: RiskPeriod[]; judged: JudgedFeed[] }>();
  const dayOf = (row: RecordedDay, due: Pick<PromiseDay, "dueMs" | "limitMs">) => {
    const { deadlineId: promiseId, date } = row;
    const key = `${promiseId} ${date}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    const isClosed = closedMs >= due.limitMs + SETTLING_MS;
    const { dueMs, limitMs } = due;
    const day = {
      promiseId,
      date,
      dueMs,
      limitMs,
      risks: [],
      shown: shown.get(key) ?? [],
      judged: [],
      isClosed,
    };
    days.set(key, day);
    return day;
  };
  for (const row of judged)
    dayOf(row, recordedDue(row)).judged.push({
      ...feedOf(row),
      outcome: row.outcome,
      closedMs: row.closedAt.getTime(),
    });
  for (const row of risks) {
    const rule = rules.get(row.deadlineId);
    const planned = rule === undefined ? null : deadlineDay(rule, row.date);
    dayOf(row, planned ?? recordedDue(row)).risks.push({
      ...feedOf(row),
      fromMs: row.fromAt.getTime(),
      untilMs: row.untilAt?.getTime() ?? null,
      attemptMs: row.attemptAt?.getTime() ?? null,
      usualMs: row.usuallySeconds === null ? null : row.usuallySeconds * 1_000,
      dueMs: row.dueAt.getTime(),
    });
  }
  return [...days.values()];
}

/**
 * What the last complete check showed of days, of their feeds that were at risk.
 * @param given.checkedMs that check or an earlier one, on the API's clock
 * @returns by promise and date, without promises that were changed since
 */
async function readShown(
  orm: Orm,
  company: string,
  given: {
    days: readonly NamedDay[];
    risks: readonly (NamedDay & { endpointId: string })[];
    checkedMs: number;
  },
): Promise<ReadonlyMap<string, ShownFeed[]>> {
  const found = new Map<string, ShownFeed[]>();
  const wanted = new Set(given.days.map(({ deadlineId, date }) => `${deadlineId} ${date}`));
  const ids = given.risks.flatMap(({ deadlineId, date, endpointId }) =>
    wanted.has(`${deadlineId} ${date}`) ? [endpointId] : [],
  );
  if (ids.length === 0) return found;
  const changed = await readChangedSince({ orm }, company, given.checkedMs);
  const rows = await orm
    .select({ endpointId: endpoints.endpointId, promise: endpoints.promise })
    .from(endpoints)
    .where(
      and(
        eq(endpoints.company, company),
        inArray(endpoints.endpointId, [...new Set(ids)]),
        isNull(endpoints.removedAt),
      ),
    );
  for (const { endpointId, promise } of rows) {
    if (promise === null || changed.has(promise.id)) continue;
    const key = `${promise.id} ${promise.date}`;
    const one = { endpointId, state: shownOf(promise), dueMs: Date.parse(promise.due_at) };
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return found;
}

/** An open promise is in time only if it was judged to be: by an attempt that is known, and that usually takes so long. */
function shownOf({ state, attempt_at, usually_seconds }: RowPromise): ShownFeed["state"] {
  if (state === "met") return "met";
  return state === "open" && attempt_at !== null && usually_seconds !== null ? "open" : "unknown";
}

type RecordedDay = NamedDay & { dueAt: Date; limitAt: Date };

const RISK_COLUMNS = {
  endpointId: deadlineRisks.endpointId,
  endpointKey: deadlineRisks.endpointKey,
  partnerName: deadlineRisks.partnerName,
  deadlineId: deadlineRisks.deadlineId,
  date: deadlineRisks.date,
  dueAt: deadlineRisks.dueAt,
  limitAt: deadlineRisks.limitAt,
  fromAt: deadlineRisks.fromAt,
  untilAt: deadlineRisks.untilAt,
  attemptAt: deadlineRisks.attemptAt,
  usuallySeconds: deadlineRisks.usuallySeconds,
};

const DAY_COLUMNS = {
  endpointId: deadlineDays.endpointId,
  endpointKey: deadlineDays.endpointKey,
  partnerName: deadlineDays.partnerName,
  deadlineId: deadlineDays.deadlineId,
  date: deadlineDays.date,
  dueAt: deadlineDays.dueAt,
  limitAt: deadlineDays.limitAt,
  outcome: deadlineDays.outcome,
  closedAt: deadlineDays.closedAt,
};

/** Dates are compared on their own too, since an index has them. */
function isAmongDays(
  table: typeof deadlineRisks | typeof deadlineDays,
  days: readonly NamedDay[],
): SQL | undefined {
  const unique = new Map(days.map((day) => [`${day.deadlineId} ${day.date}`, day]));
  const named = [...unique.values()].map(({ deadlineId, date }) => ({ deadlineId, date }));
  return and(
    inArray(table.date, [...new Set(named.map(({ date }) => date))]),
    sql`(${table.deadlineId}, ${table.date}) in (
      select "deadlineId", date from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as day ("deadlineId" uuid, date text))`,
  );
}

function recordedDue({ dueAt, limitAt }: RecordedDay): Pick<PromiseDay, "dueMs" | "limitMs"> {
  return { dueMs: dueAt.getTime(), limitMs: limitAt.getTime() };
}

/** Present rules of promises that aren't deleted. */
async function readRules(
  orm: Orm,
  of: readonly { deadlineId: string }[],
): Promise<ReadonlyMap<string, DeadlineRule>> {
  if (of.length === 0) return new Map();
  const ids = [...new Set(of.map(({ deadlineId }) => deadlineId))];
  const rows = await orm
    .select({ id: deadlines.id, rule: deadlines.rule })
    .from(deadlines)
    .where(and(inArray(deadlines.id, ids), isNull(deadlines.endedAt)));
  return new Map(rows.map(({ id, rule }) => [id, rule]));
}

function feedOf(row: { endpointId: string; endpointKey: string; partnerName: string }) {
  const { endpointId, endpointKey, partnerName: partner } = row;
  return { endpointId, endpointKey, partner };
}

/** What destinations were told of a company's promises. */
export type PromiseMessages = {
  /** Ids of all messages. */
  ids: ReadonlySet<string>;
  /** Warnings by destination and `keyOfPromise`. */
  warnings: ReadonlyMap<string, ReadonlyMap<string, WrittenWarning>>;
};

export const NO_PROMISE_MESSAGES: PromiseMessages = { ids: new Set(), warnings: new Map() };

/** How long a warning waits for its ending: its destination may be gone for good. */
const OPEN_DAYS = 30;
/** A day is announced at most twelve hours before it is due, to some destinations later than to others. */
const EARLIEST_MS = DAY_MS;

const IS_OF_PROMISE = sql`${deliveries.type} in ('promise.at_risk', 'promise.missed', 'promise.met', 'promise.ended')`;

/** A day of a promise that some destination was warned of, and whose ending it awaits. */
export type OpenWarning = {
  day: NamedDay;
  /** Thread of its messages, to all destinations. */
  thread: string;
  /** When the first was written, epoch milliseconds on our clock. */
  writtenMs: number;
};

/**
 * @param given.destinations those that may be told of the company
 * @param given.nowMs our clock
 */
export async function readOpenWarnings(
  orm: Orm,
  company: string,
  { destinations, nowMs }: { destinations: readonly string[]; nowMs: number },
): Promise<OpenWarning[]> {
  const rows = await orm
    .select({ thread: deliveries.thread, written: min(deliveries.createdAt) })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.company, company),
        inArray(deliveries.destination, [...destinations]),
        isUnended(nowMs),
      ),
    )
    .groupBy(deliveries.thread);
  return rows.map(({ thread, written }) => {
    const [, deadlineId = "", date = ""] = keyOfThread(company, thread).split(":");
    return { day: { deadlineId, date }, thread, writtenMs: written?.getTime() ?? nowMs };
  });
}

/** As `keyOfPromise`. */
const keyOfThread = (company: string, thread: string) => thread.slice(company.length + 1);

/**
 * Messages about a company's promises that were written since an instant, or that are about some days.
 * @param given.sinceMs epoch milliseconds on our clock
 */
export async function readPromiseMessages(
  orm: Orm,
  company: string,
  { sinceMs, open }: { sinceMs: number; open: readonly OpenWarning[] },
): Promise<PromiseMessages> {
  const latelyMs = sinceMs - EARLIEST_MS;
  const oldestMs = Math.min(...open.map(({ writtenMs }) => writtenMs)) - EARLIEST_MS;
  const rows = await orm
    .select({
      id: deliveries.id,
      destination: deliveries.destination,
      thread: deliveries.thread,
      type: deliveries.type,
      dueAt: deliveries.dueAt,
      promisedAt: sql<string | null>`${deliveries.message}->'promise'->>'due_at'`,
      feeds: sql<
        { partner_name: string; endpoint_id: string; state: string }[]
      >`case when ${deliveries.type} = 'promise.at_risk'
        then ${deliveries.message}->'promise'->'feeds' else '[]' end`,
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.company, company),
        IS_OF_PROMISE,
        gt(deliveries.createdAt, new Date(Math.min(latelyMs, oldestMs))),
        or(
          gt(deliveries.createdAt, new Date(latelyMs)),
          inArray(
            deliveries.thread,
            open.map(({ thread }) => thread),
          ),
        ),
      ),
    )
    .orderBy(asc(deliveries.seq));
  const warnings = new Map<string, Map<string, WrittenWarning>>();
  for (const { destination, thread, type, dueAt, promisedAt, feeds } of rows) {
    if (type !== "promise.at_risk") continue;
    const own = warnings.get(destination) ?? new Map<string, WrittenWarning>();
    warnings.set(destination, own);
    const key = keyOfThread(company, thread);
    const last = { promisedMs: Date.parse(promisedAt ?? ""), isAtRisk: false, times: 0 };
    const first = own.get(key) ?? { dueMs: dueAt.getTime(), partners: [], endpointIds: [], last };
    const partners = [...first.partners, ...feeds.map((one) => one.partner_name)];
    const endpointIds = [...first.endpointIds, ...feeds.map((one) => one.endpoint_id)];
    own.set(key, {
      ...first,
      partners: [...new Set(partners)],
      endpointIds: [...new Set(endpointIds)],
      last: {
        promisedMs: last.promisedMs,
        isAtRisk: feeds.some(({ state }) => state === "at_risk"),
        times: first.last.times + 1,
      },
    });
  }
  return { ids: new Set(rows.map(({ id }) => id)), warnings };
}

/** A warning whose promise wasn't ended to its destination, as far as that is still awaited. @param nowMs our clock */
export const isUnended = (nowMs: number) => sql`(${deliveries.type} = 'promise.at_risk'
  and ${deliveries.createdAt} > ${iso(nowMs - OPEN_DAYS * DAY_MS)}::timestamptz
  and not exists (
    select from deliveries over where over.place = ${deliveries.destination} and over.thread = ${deliveries.thread}
      and over.type in ('promise.missed', 'promise.met', 'promise.ended')))`;
