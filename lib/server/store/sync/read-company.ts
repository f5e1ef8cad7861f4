import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { SnapshotRow } from "@/lib/domain/judge";
import type { SourceReason, Verdict } from "@/lib/domain/sync";
import type { Database, Orm } from "@/lib/server/store/database";
import { companyState, endpoints } from "@/lib/server/store/schema/record";
import { attributesOf, type CompanyState, type EndpointRecord } from "./records";

/** A company's record, read from one database snapshot. */
type CompanyRecord = { state: CompanyState | null; endpoints: Map<string, EndpointRecord> };

/** Version of every company, for a cheap check for new publications. */
export async function readVersions(database: Database): Promise<Map<string, number>> {
  const rows = await database.orm
    .select({ company: companyState.company, version: companyState.version })
    .from(companyState);
  return new Map(rows.map((row) => [row.company, row.version]));
}

/** State and endpoints of one company, including removed ones, from one database snapshot. */
export async function readCompany(database: Database, company: string): Promise<CompanyRecord> {
  return database.orm.transaction(
    async (tx) => {
      const [state] = await tx.select().from(companyState).where(eq(companyState.company, company));
      const rows = await tx.select().from(endpoints).where(eq(endpoints.company, company));
      return {
        state: state === undefined ? null : stateOf(state),
        endpoints: new Map(rows.map((row) => [row.endpointId, endpointOf(row)])),
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

/** The present rows of some partners of a company. */
export async function readPartnerRows(
  orm: Orm,
  company: string,
  partners: readonly string[],
): Promise<SnapshotRow[]> {
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
  return rows.map((row) => {
    const { known, verdict } = endpointOf(row);
    return { ...attributesOf(row.raw), id: row.endpointId, known, verdict };
  });
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
    totalPages: row.totalPages,
    rateLimit: row.rateLimit,
    budget: row.budget,
  };
}

function endpointOf(row: typeof endpoints.$inferSelect): EndpointRecord {
  return {
    row: row.raw,
    attributesSeenMs: row.attributesSeenMs,
    known: {
      typical_duration_seconds: row.typicalDurationSeconds,
      failures_in_a_row: row.failuresInARow,
      last_finished_status: row.lastFinishedStatus,
      last_finished_at: row.lastFinishedAt?.toISOString() ?? null,
      learned_frequency_minutes: row.learnedFrequencyMinutes,
      learned_week: row.learnedWeek,
      reported: row.missedSnapshots === 0,
    },
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
