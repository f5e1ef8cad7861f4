import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { deadlineDay } from "@/lib/domain/deadlines/calendar";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { SETTLING_MS } from "@/lib/domain/deadlines/outcome";
import type {
  JudgedFeed,
  PromiseDay,
  RiskStretch,
  WrittenWarning,
} from "@/lib/domain/delivery/plan-promises";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import type { Orm } from "@/lib/server/store/database";
import type { RowBudget } from "@/lib/server/store/most-rows";
import {
  deadlineDays,
  deadlineFolds,
  deadlineRisks,
  deadlines,
} from "@/lib/server/store/schema/deadlines";
import { deliveries } from "@/lib/server/store/schema/delivery";

/**
 * Days of a company's promises that were at risk and due since an instant, or that were closed as missed since it: a day
 * closes late when the company couldn't be seen. A day that isn't closed is due when its promise has it now, or had it
 * last.
 * @param sinceMs epoch milliseconds on the API's clock
 * @throws Failure `invalid_request` when it needs more rows than are left in the budget
 */
export async function readPromiseDays(
  orm: Orm,
  company: string,
  sinceMs: number,
  budget: Pick<RowBudget, "read">,
): Promise<PromiseDay[]> {
  const [fold] = await orm.select().from(deadlineFolds).where(eq(deadlineFolds.company, company));
  if (fold === undefined) return [];
  const since = new Date(sinceMs);
  const risks = await budget.read((limit) =>
    orm
      .select()
      .from(deadlineRisks)
      .where(and(eq(deadlineRisks.company, company), gt(deadlineRisks.dueAt, since)))
      .orderBy(asc(deadlineRisks.dueAt), asc(deadlineRisks.seq))
      .limit(limit),
  );
  const judged = await budget.read((limit) =>
    orm
      .select()
      .from(deadlineDays)
      .where(
        and(
          eq(deadlineDays.company, company),
          or(
            and(eq(deadlineDays.outcome, "missed"), gt(deadlineDays.closedAt, since)),
            and(
              inArray(deadlineDays.date, [...new Set(risks.map(({ date }) => date))]),
              sql`exists (
                select from deadline_risks risk where risk.company = ${deadlineDays.company}
                  and risk.due_at > ${iso(sinceMs)}::timestamptz
                  and risk.deadline_id = ${deadlineDays.deadlineId} and risk.date = ${deadlineDays.date}
                  and (risk.endpoint_id = ${deadlineDays.endpointId}
                    or ${deadlineDays.outcome} in ('missed', 'not_observed')))`,
            ),
          ),
        ),
      )
      .orderBy(asc(deadlineDays.dueAt), asc(deadlineDays.endpointKey), asc(deadlineDays.endpointId))
      .limit(limit),
  );
  const rules = await readRules(orm, risks);
  const days = new Map<string, PromiseDay & { risks: RiskStretch[]; judged: JudgedFeed[] }>();
  const dayOf = (row: RecordedDay, due: Pick<PromiseDay, "dueMs" | "limitMs">) => {
    const { deadlineId: promiseId, date } = row;
    const key = `${promiseId} ${date}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    const isClosed = fold.closedUntil.getTime() >= due.limitMs + SETTLING_MS;
    const { dueMs, limitMs } = due;
    const day = { promiseId, date, dueMs, limitMs, risks: [], judged: [], isClosed };
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
    });
  }
  return [...days.values()];
}

type RecordedDay = { deadlineId: string; date: string; dueAt: Date; limitAt: Date };

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
  /** When the earliest promise was due whose warning has no ending yet, epoch milliseconds; null: all have. */
  openSinceMs: number | null;
};

export const NO_PROMISE_MESSAGES: PromiseMessages = {
  ids: new Set(),
  warnings: new Map(),
  openSinceMs: null,
};

/** How long a warning waits for its ending: its destination may be gone for good. */
const OPEN_DAYS = 30;
/** A day is announced at most twelve hours before it is due, and the clocks may differ. */
const EARLIEST_MS = DAY_MS;

/**
 * Messages about the promises that were due since an instant, or since the earliest one with a warning that has no ending
 * yet.
 * @param given.sinceMs epoch milliseconds
 * @param given.nowMs our clock
 */
export async function readPromiseMessages(
  orm: Orm,
  company: string,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<PromiseMessages> {
  const readFrom = (fromMs: number) =>
    orm
      .select({
        id: deliveries.id,
        destination: deliveries.destination,
        thread: deliveries.thread,
        type: deliveries.type,
        dueAt: deliveries.dueAt,
        promise: sql<{
          due_at: string;
          feeds: { partner_name: string }[];
        }>`${deliveries.message}->'promise'`,
        isOpen: sql<boolean>`${isUnended(nowMs)}`,
      })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.company, company),
          isNull(deliveries.incidentId),
          sql`${deliveries.type} in ('promise.at_risk', 'promise.missed', 'promise.met', 'promise.ended')`,
          or(gt(deliveries.createdAt, new Date(fromMs - EARLIEST_MS)), isUnended(nowMs)),
        ),
      )
      .orderBy(asc(deliveries.seq));
  const lately = await readFrom(sinceMs);
  const open = lately.flatMap((row) => (row.isOpen ? Date.parse(row.promise.due_at) : []));
  const openSinceMs = open.length === 0 ? null : Math.min(...open);
  const isOlder = openSinceMs !== null && openSinceMs < sinceMs;
  const rows = isOlder ? await readFrom(openSinceMs) : lately;
  const warnings = new Map<string, Map<string, WrittenWarning>>();
  for (const { destination, thread, type, dueAt, promise } of rows) {
    if (type !== "promise.at_risk") continue;
    const own = warnings.get(destination) ?? new Map<string, WrittenWarning>();
    warnings.set(destination, own);
    const key = thread.slice(company.length + 1);
    const first = own.get(key) ?? { dueMs: dueAt.getTime(), partners: [] };
    const partners = [...first.partners, ...promise.feeds.map((one) => one.partner_name)];
    own.set(key, { ...first, partners: [...new Set(partners)] });
  }
  return { ids: new Set(rows.map(({ id }) => id)), warnings, openSinceMs };
}

/** A warning whose promise wasn't ended to its destination, as far as that is still awaited. @param nowMs our clock */
export const isUnended = (nowMs: number) => sql`(${deliveries.type} = 'promise.at_risk'
  and ${deliveries.createdAt} > ${iso(nowMs - OPEN_DAYS * DAY_MS)}::timestamptz
  and not exists (
    select from deliveries over where over.place = ${deliveries.destination} and over.thread = ${deliveries.thread}
      and over.type in ('promise.missed', 'promise.met', 'promise.ended')))`;
