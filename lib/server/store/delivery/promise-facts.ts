import { and, asc, eq, gt, gte, isNull, sql } from "drizzle-orm";
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
import { deadlineDays, deadlineFolds, deadlineRisks } from "@/lib/server/store/schema/deadlines";
import { deliveries } from "@/lib/server/store/schema/delivery";

/**
 * Days of a company's promises that were missed or at risk, due since an instant on the API's clock, by due time.
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
          // Dates are those of the promise's zone.
          gte(deadlineDays.date, iso(sinceMs - 2 * DAY_MS).slice(0, 10)),
          gt(deadlineDays.dueAt, since),
          sql`(${deadlineDays.outcome} = 'missed' or exists (
            select from deadline_risks risk where risk.company = ${deadlineDays.company}
              and risk.due_at = ${deadlineDays.dueAt} and risk.endpoint_id = ${deadlineDays.endpointId}
              and risk.deadline_id = ${deadlineDays.deadlineId} and risk.date = ${deadlineDays.date}))`,
        ),
      )
      .orderBy(asc(deadlineDays.dueAt), asc(deadlineDays.endpointKey), asc(deadlineDays.endpointId))
      .limit(limit),
  );
  type Day = PromiseDay & { risks: RiskStretch[]; judged: JudgedFeed[] };
  const days = new Map<string, Day>();
  const dayOf = (row: { deadlineId: string; date: string; dueAt: Date; limitAt: Date }) => {
    const key = `${row.deadlineId} ${row.date}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    const limitMs = row.limitAt.getTime();
    const day: Day = {
      promiseId: row.deadlineId,
      date: row.date,
      dueMs: row.dueAt.getTime(),
      limitMs,
      risks: [],
      judged: [],
      isClosed: fold.closedUntil.getTime() >= limitMs + SETTLING_MS,
    };
    days.set(key, day);
    return day;
  };
  for (const row of risks)
    dayOf(row).risks.push({
      ...feedOf(row),
      fromMs: row.fromAt.getTime(),
      untilMs: row.untilAt?.getTime() ?? null,
      attemptMs: row.attemptAt?.getTime() ?? null,
      usualMs: row.usuallySeconds === null ? null : row.usuallySeconds * 1_000,
    });
  for (const row of judged)
    dayOf(row).judged.push({
      ...feedOf(row),
      outcome: row.outcome,
      closedMs: row.closedAt.getTime(),
    });
  return [...days.values()];
}

function feedOf(row: { endpointId: string; endpointKey: string; partnerName: string }) {
  const { endpointId, endpointKey, partnerName: partner } = row;
  return { endpointId, endpointKey, partner };
}

/** What destinations were told of a company's promises. */
export type PromiseMessages = {
  /** Ids of all messages. */
  ids: ReadonlySet<string>;
  /** Warnings by destination and key. */
  warnings: ReadonlyMap<string, ReadonlyMap<string, WrittenWarning>>;
  /** When the earliest promise was due whose warning has no ending yet, epoch milliseconds; null: all have. */
  openSinceMs: number | null;
};

export const NO_PROMISE_MESSAGES: PromiseMessages = {
  ids: new Set(),
  warnings: new Map(),
  openSinceMs: null,
};

/** Messages about promises since an instant on our clock, and all warnings without an ending. */
export async function readPromiseMessages(
  orm: Orm,
  company: string,
  sinceMs: number,
): Promise<PromiseMessages> {
  const rows = await orm
    .select({
      id: deliveries.id,
      destination: deliveries.destination,
      key: deliveries.key,
      type: deliveries.type,
      dueAt: deliveries.dueAt,
      promise: sql<{
        due_at: string;
        feeds: { partner_name: string }[];
      }>`${deliveries.message}->'promise'`,
      isOpen: sql<boolean>`${isUnended}`,
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.company, company),
        isNull(deliveries.incidentId),
        sql`${deliveries.type} in ('promise.at_risk', 'promise.missed', 'promise.met', 'promise.ended')`,
        sql`(${deliveries.createdAt} > ${iso(sinceMs)}::timestamptz or ${isUnended})`,
      ),
    );
  const warnings = new Map<string, Map<string, WrittenWarning>>();
  let openSinceMs: number | null = null;
  for (const { destination, key, type, dueAt, promise, isOpen } of rows) {
    if (type !== "promise.at_risk") continue;
    const own = warnings.get(destination) ?? new Map<string, WrittenWarning>();
    warnings.set(destination, own);
    const partners = [...new Set(promise.feeds.map(({ partner_name: partner }) => partner))];
    own.set(key, { dueMs: dueAt.getTime(), partners });
    if (isOpen) openSinceMs = Math.min(openSinceMs ?? Infinity, Date.parse(promise.due_at));
  }
  return { ids: new Set(rows.map(({ id }) => id)), warnings, openSinceMs };
}

/** A warning whose promise wasn't ended to its destination. */
export const isUnended = sql`(${deliveries.type} = 'promise.at_risk' and not exists (
  select from deliveries over where over.place = ${deliveries.destination} and over.thread = ${deliveries.thread}
    and over.type in ('promise.missed', 'promise.met', 'promise.ended')))`;
