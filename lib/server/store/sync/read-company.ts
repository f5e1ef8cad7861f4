import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { SnapshotRow } from "@/lib/domain/judge";
import { isForCadence } from "@/lib/domain/learned-week/follow-week";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import type { EndpointFacts, LearnedWeekFacts, SourceReason, Verdict } from "@/lib/domain/sync";
import { cadenceOf, compareVerdicts, verdict } from "@/lib/domain/verdict";
import type { Database, Orm } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { readCurrentWeeks } from "@/lib/server/store/learned-weeks/learned-weeks";
import { companyState, endpoints } from "@/lib/server/store/schema/record";
import { attributesOf, type CompanyState, type EndpointRecord } from "./records";

/** A company's record, read from one database snapshot. */
type CompanyRecord = {
  state: CompanyState | null;
  /**
   * Age of the last complete snapshot by PostgreSQL's clock, milliseconds: right even if the clock of the process that
   * took it was wrong. Null: there is none, or an earlier version took it.
   */
  ageMs: number | null;
  endpoints: Map<string, EndpointRecord>;
};

/** Version of every company, for a cheap check for new publications. */
export async function readVersions(database: Database): Promise<Map<string, number>> {
  const rows = await database.orm
    .select({ company: companyState.company, version: companyState.version })
    .from(companyState)
    .prepare("read_versions")
    .execute();
  return new Map(rows.map((row) => [row.company, row.version]));
}

/** State and endpoints of one company, including removed ones, from one database snapshot. */
export async function readCompany(database: Database, company: string): Promise<CompanyRecord> {
  return database.orm.transaction(
    async (tx) => {
      const [found] = await tx
        .select({ state: companyState, databaseMs: DATABASE_NOW_MS })
        .from(companyState)
        .where(eq(companyState.company, company));
      const state = found?.state;
      const rows = await tx.select().from(endpoints).where(eq(endpoints.company, company));
      const apiMs = (state?.asOf?.getTime() ?? Number.NaN) + (state?.apiClockOffsetMs ?? 0);
      const weekOf = await appliedWeeks(tx, company, rows, apiMs);
      return {
        state: state === undefined ? null : stateOf(state),
        ageMs: found === undefined ? null : ageMs(found.state, Number(found.databaseMs)),
        endpoints: new Map(rows.map((row) => [row.endpointId, endpointOf(row, weekOf(row))])),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** The latest `api_calls_last_24h` sample of every endpoint; timestamps on the API clock. */
export async function readLatestSamples(
  database: Database,
  company: string,
): Promise<Map<string, { atMs: number; value: number }>> {
  const { rows } = await database.pool.query<{ id: string; at: number; value: number }>(
    `select e.endpoint_id as id, extract(epoch from s.sampled_at)::float8 * 1000 as at, s.value
     from endpoints e
     cross join lateral (
       select sampled_at, value from call_samples
       where company = e.company and endpoint_id = e.endpoint_id
       order by sampled_at desc limit 1
     ) s
     where e.company = $1`,
    [company],
  );
  return new Map(rows.map((row) => [row.id, { atMs: row.at, value: row.value }]));
}

/**
 * The present rows of some partners of a company, with their promises as of the last check.
 * @param checkedMs the last check, epoch milliseconds on the API's clock
 */
export async function readPartnerRows(
  orm: Orm,
  company: string,
  partners: readonly string[],
  checkedMs: number,
): Promise<(SnapshotRow & Pick<EndpointRecord, "promise">)[]> {
  const rows = await orm
    .select()
    .from(endpoints)
    .where(
      and(
        eq(endpoints.company, company),
        inArray(endpoints.partnerName, [...partners]),
        isNull(endpoints.removedAt),
      ),
    )
    .orderBy(asc(endpoints.endpointKey), asc(endpoints.endpointId));
  const weekOf = await appliedWeeks(orm, company, rows, checkedMs);
  return rows.map((row) => {
    const { known, verdict: word, promise } = endpointOf(row, weekOf(row));
    return { ...attributesOf(row.raw), id: row.endpointId, known, verdict: word, promise };
  });
}

function ageMs(
  { asOf, databaseClockOffsetMs }: typeof companyState.$inferSelect,
  databaseMs: number,
): number | null {
  if (asOf === null || databaseClockOffsetMs === null) return null;
  return databaseMs - (asOf.getTime() + databaseClockOffsetMs);
}

function stateOf(row: typeof companyState.$inferSelect): CompanyState {
  return {
    version: row.version,
    asOfMs: row.asOf?.getTime() ?? null,
    lastAttemptMs: row.lastAttemptAt.getTime(),
    reason: row.reason as SourceReason | null,
    rhythmSeconds: row.rhythmSeconds,
    nextRefreshMs: row.nextRefreshAt.getTime(),
    apiClockOffsetMs: row.apiClockOffsetMs,
    databaseClockOffsetMs: row.databaseClockOffsetMs,
    totalPages: row.totalPages,
    rateLimit: row.rateLimit,
    budget: row.budget,
  };
}

type EndpointRow = typeof endpoints.$inferSelect;

/**
 * The learned week that each row applies. What it says itself is only that it did at the last check: a week that ended
 * since, or that no version has looked at lately, isn't applied; nor one by which the row would be judged better than
 * it was, because an older version that checked it knows of no learned weeks.
 * @param apiMs the last check, epoch milliseconds on the API's clock; NaN: none
 */
async function appliedWeeks(
  orm: Pick<Orm, "select">,
  company: string,
  rows: readonly EndpointRow[],
  apiMs: number,
): Promise<(row: EndpointRow) => LearnedWeekFacts | null> {
  const ids = rows.flatMap(({ learnedWeek, endpointId }) =>
    learnedWeek === null ? [] : endpointId,
  );
  const weeks = await readCurrentWeeks(orm, company, ids, apiMs);
  return (row) => {
    const week = weeks.get(row.endpointId);
    const attributes = attributesOf(row.raw);
    if (week === undefined || !isForCadence(week, cadenceOf(attributes, factsOf(row, null)).ms))
      return null;
    const facts = weekFacts(week);
    const { word } = verdict(attributes, factsOf(row, facts), apiMs);
    return compareVerdicts(word, row.verdict as Verdict) > 0 ? null : facts;
  };
}

function factsOf(row: EndpointRow, learnedWeek: LearnedWeekFacts | null): EndpointFacts {
  return {
    typical_duration_seconds: row.typicalDurationSeconds,
    failures_in_a_row: row.failuresInARow,
    last_finished_status: row.lastFinishedStatus,
    last_finished_at: row.lastFinishedAt?.toISOString() ?? null,
    learned_frequency_minutes: row.learnedFrequencyMinutes,
    learned_week: learnedWeek,
    reported: row.missedSnapshots === 0,
  };
}

function endpointOf(row: EndpointRow, learnedWeek: LearnedWeekFacts | null): EndpointRecord {
  return {
    row: row.raw,
    attributesSeenMs: row.attributesSeenMs,
    known: factsOf(row, learnedWeek),
    failingSinceMs: row.failingSince?.getTime() ?? null,
    lastFinishedStartedMs: row.lastFinishedStartedAt?.getTime() ?? null,
    verdict: row.verdict as Verdict,
    promise: row.promise,
    firstSeenMs: row.firstSeenAt.getTime(),
    lastReportedMs: row.lastReportedAt?.getTime() ?? null,
    missedSnapshots: row.missedSnapshots,
    removedMs: row.removedAt?.getTime() ?? null,
  };
}
