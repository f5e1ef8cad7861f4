import { and, asc, eq, getTableColumns, gt, isNull, or, sql } from "drizzle-orm";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { Deadline, DeadlineRule } from "@/lib/domain/deadlines/deadline";
import type { LastClosedDay } from "@/lib/domain/deadlines/current";
import { iso } from "@/lib/domain/time/instant";
import type { Database, Orm } from "@/lib/server/store/database";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { deadlineFolds, deadlines } from "@/lib/server/store/schema/deadlines";

export type DeadlineRow = typeof deadlines.$inferSelect;

/** Converts a row to the domain type. */
export function deadlineOf(row: DeadlineRow): Deadline {
  return {
    ...row.rule,
    id: row.id,
    partner: row.endpointId === null ? row.partnerName : null,
    endpointId: row.endpointId,
    madeMs: row.madeAt.getTime(),
    endedMs: row.endedAt?.getTime() ?? null,
  };
}

/** Deadlines of a company that aren't deleted, oldest first. */
export function readDeadlines(
  { orm }: { orm: Pick<Database["orm"], "select"> },
  company: string,
): Promise<DeadlineRow[]> {
  return orm
    .select()
    .from(deadlines)
    .where(and(eq(deadlines.company, company), isNull(deadlines.endedAt)))
    .orderBy(asc(deadlines.madeAt), asc(deadlines.id));
}

/**
 * Deadlines whose scope includes an endpoint and that aren't deleted, oldest first.
 * @throws Failure `invalid_request` when there are more than are left in the budget
 */
export function readDeadlinesOf(
  { orm }: { orm: Pick<Database["orm"], "select"> },
  company: string,
  { endpointId, partner }: { endpointId: string; partner: string | null },
  budget: Pick<RowBudget, "read">,
): Promise<DeadlineRow[]> {
  return budget.read((limit) =>
    orm
      .select()
      .from(deadlines)
      .where(
        and(
          eq(deadlines.company, company),
          isNull(deadlines.endedAt),
          or(
            eq(deadlines.endpointId, endpointId),
            and(
              isNull(deadlines.endpointId),
              or(isNull(deadlines.partnerName), eq(deadlines.partnerName, partner ?? "")),
            ),
          ),
        ),
      )
      .orderBy(asc(deadlines.madeAt), asc(deadlines.id))
      .limit(limit),
  );
}

/** Deadlines of a company that weren't deleted at an instant on the API's clock. */
export async function readDeadlinesSince(
  { orm }: Pick<Database, "orm">,
  company: string,
  sinceMs: number,
): Promise<Deadline[]> {
  const rows = await orm
    .select()
    .from(deadlines)
    .where(
      and(
        eq(deadlines.company, company),
        or(isNull(deadlines.endedAt), gt(deadlines.endedAt, new Date(sinceMs))),
      ),
    )
    .orderBy(asc(deadlines.madeAt), asc(deadlines.id));
  return rows.map(deadlineOf);
}

/** What people did to a company's deadlines, by the audit log. */
const promiseActs = (company: string) => sql`
  from audit_actions action
  join audit_log log on log.company = action.company and log.seq = action.seq
  where action.company = ${company} and action.file_id is null and log.kind = 'promise'`;

/** How far the API's clock is ahead of ours. */
const apiAheadMs = (company: string) =>
  sql`coalesce((select api_clock_offset_ms from company_state where company = ${company}), 0)`;

/**
 * When rules of a company's deadlines were first changed after an instant, by the audit log: a deadline only keeps its
 * present rule.
 * @param sinceMs epoch milliseconds on the API's clock
 * @returns by id, epoch milliseconds on that clock
 */
export async function readChangedSince(
  { orm }: { orm: Pick<Orm, "execute"> },
  company: string,
  sinceMs: number,
): Promise<Map<string, number>> {
  const aheadMs = apiAheadMs(company);
  const { rows } = await orm.execute<{ id: string; changedMs: number }>(
    sql`select log.detail->>'promise' as id,
       (extract(epoch from min(action.asked_at)) * 1000)::float8 + ${aheadMs} as "changedMs"
     ${promiseActs(company)} and log.event = 'change.asked'
       and action.asked_at > ${iso(sinceMs)}::timestamptz - make_interval(secs => ${aheadMs} / 1000)
     group by 1`,
  );
  return new Map(rows.map(({ id, changedMs }) => [id, changedMs]));
}

/** The rules that a company's deadlines had, with when they got them and when these were changed, on our clock. */
const ruleVersions = (company: string) => sql`
  select log.seq, log.detail->>'promise' as id, log.detail->'rule' as rule, action.asked_at as since_at,
    lead(action.asked_at) over (partition by log.detail->>'promise' order by log.seq) as until_at
  ${promiseActs(company)} and log.event in ('make.asked', 'change.asked')`;

/** A deadline's rule until its next change. `rule`: null: the present one. Epoch milliseconds on our clock. */
export type RuleVersion = { rule: DeadlineRule | null; sinceMs: number; untilMs: number | null };

/**
 * The rules that a company's deadlines had after an instant, by the audit log.
 * @returns by id, oldest first
 */
export async function readRulesSince(
  { orm }: { orm: Pick<Orm, "execute"> },
  company: string,
  sinceMs: number,
): Promise<Map<string, RuleVersion[]>> {
  const { rows } = await orm.execute<RuleVersion & { id: string }>(
    sql`select id, case when until_at is not null then rule end as rule,
       (extract(epoch from since_at) * 1000)::float8 as "sinceMs",
       (extract(epoch from until_at) * 1000)::float8 as "untilMs"
     from (${ruleVersions(company)}) versions
     where until_at is null or until_at > ${iso(sinceMs)}::timestamptz
     order by seq`,
  );
  return groupBy(rows, ({ id }) => id);
}

/** A rule that a deadline had until it was changed. Epoch milliseconds on the API's clock. */
export type EarlierRule = { id: string; rule: DeadlineRule; untilMs: number };

/**
 * The rules of a company's deadlines that were changed after an instant, by the audit log.
 * @param sinceMs epoch milliseconds on the API's clock
 * @returns in the order in which they were changed
 */
export async function readEarlierRules(
  { orm }: { orm: Pick<Orm, "execute"> },
  company: string,
  sinceMs: number,
): Promise<EarlierRule[]> {
  const aheadMs = apiAheadMs(company);
  const { rows } = await orm.execute<EarlierRule>(
    sql`select id, rule, (extract(epoch from until_at) * 1000)::float8 + ${aheadMs} as "untilMs"
     from (${ruleVersions(company)}) versions
     where until_at > ${iso(sinceMs)}::timestamptz - make_interval(secs => ${aheadMs} / 1000)
     order by seq`,
  );
  return rows;
}

/** Companies among some that ever had a deadline. */
export async function readPromised(
  { orm }: Pick<Database, "orm">,
  companies: readonly string[],
): Promise<Set<string>> {
  const rows = await orm
    .select({ company: deadlineFolds.company })
    .from(deadlineFolds)
    .where(sql`${deadlineFolds.company} = any (${sql.param([...companies])}::text[])`);
  return new Set(rows.map(({ company }) => company));
}

/** Progress of a company's deadlines. `closedUntilMs`: epoch milliseconds on the API's clock. */
export type DeadlineFold = { version: number; closedUntilMs: number };

/** With PostgreSQL's clock, epoch milliseconds. */
export type ReadDeadlineFold = { fold: DeadlineFold; databaseMs: number };

/** @returns null: the company never had a deadline */
export async function readDeadlineFold(
  { orm }: Pick<Database, "orm">,
  company: string,
): Promise<ReadDeadlineFold | null> {
  const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
  const [row] = await orm
    .select({ ...getTableColumns(deadlineFolds), databaseMs })
    .from(deadlineFolds)
    .where(eq(deadlineFolds.company, company));
  if (row === undefined) return null;
  const fold = { version: row.version, closedUntilMs: row.closedUntil.getTime() };
  return { fold, databaseMs: row.databaseMs };
}

/** Identifies a closed day within a company. */
export function closedDayKey(endpointId: string, deadlineId: string, date: string): string {
  return `${endpointId}\0${deadlineId}\0${date}`;
}

/** The closed ones among days of deadlines, of all endpoints. @returns their keys */
export async function readClosedAmong(
  { pool }: Pick<Database, "pool">,
  company: string,
  days: readonly { deadlineId: string; date: string }[],
): Promise<Set<string>> {
  const dates = days.map(({ date }) => date).toSorted();
  const { rows } = await pool.query<{ endpoint_id: string; deadline_id: string; date: string }>(
    `select d.endpoint_id, d.deadline_id, d.date
     from deadline_days d
     join unnest($2::uuid[], $3::text[]) as wanted(deadline_id, date) using (deadline_id, date)
     where d.company = $1 and d.date between $4 and $5`,
    [
      company,
      days.map(({ deadlineId }) => deadlineId),
      days.map(({ date }) => date),
      dates[0] ?? "",
      dates.at(-1) ?? "",
    ],
  );
  return new Set(rows.map((row) => closedDayKey(row.endpoint_id, row.deadline_id, row.date)));
}

/** Endpoints whose open risk isn't the one that their row shows: a version that didn't know of risks led meanwhile. */
export async function readLeftRisks(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ endpoint_id: string }>(
    `select risk.endpoint_id
     from deadline_risks risk
     left join endpoints e on e.company = risk.company and e.endpoint_id = risk.endpoint_id
     where risk.company = $1 and risk.until_at is null
       and (e.promise->>'state', e.promise->>'id', e.promise->>'date')
         is distinct from ('at_risk', risk.deadline_id::text, risk.date)`,
    [company],
  );
  return rows.map((row) => row.endpoint_id);
}

/** A missed day whose data hasn't arrived yet. Epoch milliseconds on the API's clock. */
export type AwaitedDay = LastClosedDay & { endpointId: string; limitMs: number };

const CLOSED_COLUMNS = `deadline_id, date, due_at, limit_at, outcome, received_at, is_at_most`;
type ClosedRow = {
  endpoint_id: string;
  deadline_id: string;
  date: string;
  due_at: Date;
  limit_at: Date;
  outcome: LastClosedDay["outcome"];
  received_at: Date | null;
  is_at_most: boolean;
};
const IS_AWAITED = `company = $1 and outcome = 'missed' and received_at is null`;

/** The last closed day of every endpoint, and the endpoints with missed days that still lack data. */
export async function readClosedDays(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<{ last: Map<string, LastClosedDay>; awaited: Set<string> }> {
  const last = await pool.query<ClosedRow>(
    `select e.endpoint_id, d.*
     from endpoints e
     cross join lateral (
       select ${CLOSED_COLUMNS} from deadline_days
       where company = $1 and endpoint_id = e.endpoint_id order by due_at desc limit 1
     ) d
     where e.company = $1`,
    [company],
  );
  const awaited = await pool.query<{ endpoint_id: string }>(
    `select distinct endpoint_id from deadline_days where ${IS_AWAITED}`,
    [company],
  );
  return {
    last: new Map(last.rows.map((row) => [row.endpoint_id, closedOf(row)])),
    awaited: new Set(awaited.rows.map((row) => row.endpoint_id)),
  };
}

/** Missed days of some endpoints that still lack data, by the time they were due. */
export async function readAwaitedDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
): Promise<AwaitedDay[]> {
  const { rows } = await pool.query<ClosedRow>(
    `select endpoint_id, ${CLOSED_COLUMNS} from deadline_days
     where ${IS_AWAITED} and endpoint_id = any ($2) order by due_at`,
    [company, endpointIds],
  );
  return rows.map((row) => ({
    ...closedOf(row),
    endpointId: row.endpoint_id,
    limitMs: row.limit_at.getTime(),
  }));
}

function closedOf(row: ClosedRow): LastClosedDay {
  const dueMs = row.due_at.getTime();
  const received = row.outcome === "missed" ? row.received_at : null;
  return {
    deadlineId: row.deadline_id,
    date: row.date,
    dueMs,
    outcome: row.outcome,
    lateMs: received === null ? null : received.getTime() - dueMs,
    isAtMost: row.is_at_most,
  };
}
