import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { instantMs } from "@/lib/domain/instant";
import type { Known, SourceReason, SyncAttributes, Verdict, RateLimit } from "@/lib/domain/sync";
import type { Database } from "./database";
import {
  callSamples,
  companies,
  companyState,
  endpoints,
  gaps,
  landings,
  runs,
  verdictChanges,
} from "./schema/record";

/** How the last attempt to read a company went. Instants are epoch milliseconds on our clock. */
export type CompanyState = {
  /** 0 before anything was stored. */
  version: number;
  /** When the last complete snapshot began to be read; null before the first. */
  asOfMs: number | null;
  lastAttemptMs: number;
  /** Null when the last attempt succeeded. */
  reason: SourceReason | null;
  rhythmSeconds: number;
  nextRefreshMs: number;
  /** The API's clock minus ours. */
  apiClockOffsetMs: number;
  totalPages: number;
  rateLimit: RateLimit | null;
  budget: { used: number; limit: number };
};

/** One endpoint as the record has it. Instants are epoch milliseconds on our clock. */
export type EndpointRecord = {
  row: ReadSyncStatus;
  /** By attribute: when its present value was first seen, on the API's clock. */
  attributesSeenMs: Readonly<Record<string, number>>;
  known: Known;
  /** Our verdict at the last complete snapshot. */
  verdict: Verdict;
  firstSeenMs: number;
  /** The last snapshot that had the row; null while the latest has it. */
  lastReportedMs: number | null;
  /** Polls in a row that lacked it: 1 from the first snapshot on that does. */
  missedSnapshots: number;
  /** Null while it is shown. */
  removedMs: number | null;
};

/** One run. Instants are epoch milliseconds on the API's clock. */
export type RunRecord = {
  endpointId: string;
  startedMs: number;
  /** Null while it runs, or when its end is not known. */
  finishedMs: number | null;
  status: string | null;
  durationSeconds: number | null;
};

export type GapReason = Exclude<SourceReason, "starting"> | "stopped" | "not_recorded";

/** Everything that one complete snapshot changes. Instants are on the API's clock. */
export type SnapshotChanges = {
  endpoints: { id: string; record: EndpointRecord }[];
  runs: RunRecord[];
  landings: { endpointId: string; landedMs: number }[];
  verdictChanges: { endpointId: string; verdict: Verdict | null; previous: Verdict | null }[];
  callSamples: { endpointId: string; value: number }[];
  gap: { fromMs: number; untilMs: number; reason: GapReason } | null;
  /** When the changes and samples were seen. */
  apiNowMs: number;
};

/** What the record holds of a company, read in one consistent view. */
type CompanyRecord = { state: CompanyState | null; endpoints: Map<string, EndpointRecord> };

/** Rows of one INSERT: far below PostgreSQL's 65,535 parameters, short enough not to hold the loop. */
const ROWS_PER_INSERT = 500;

type Transaction = Parameters<Parameters<Database["orm"]["transaction"]>[0]>[0];

/** Makes the companies known to the record, under their present names. */
export async function saveCompanies(
  database: Database,
  named: readonly { slug: string; name: string }[],
): Promise<void> {
  if (named.length === 0) return;
  await database.orm
    .insert(companies)
    .values([...named])
    .onConflictDoUpdate({
      target: companies.slug,
      set: { name: sql`excluded.name` },
      setWhere: sql`${companies.name} <> excluded.name`,
    });
}

/** The row's v3 attributes alone, in the words in which they were given. */
export function attributesOf(row: ReadSyncStatus): SyncAttributes {
  const given = row.attributes;
  return {
    endpoint_key: given.endpoint_key,
    partner_name: given.partner_name,
    status: given.status,
    last_updated_at: given.last_updated_at,
    next_sync_at: given.next_sync_at,
    last_sync_status: given.last_sync_status,
    last_sync_started_at: given.last_sync_started_at,
    last_sync_finished_at: given.last_sync_finished_at,
    last_sync_duration_seconds: given.last_sync_duration_seconds,
    frequency_minutes: given.frequency_minutes,
    api_calls_last_24h: given.api_calls_last_24h,
  };
}

/** Every company's version, to see cheaply whether anything was published. */
export async function readVersions(database: Database): Promise<Map<string, number>> {
  const rows = await database.orm
    .select({ company: companyState.company, version: companyState.version })
    .from(companyState);
  return new Map(rows.map((row) => [row.company, row.version]));
}

/** State and endpoints of one company, removed ones included, as of one moment. */
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

/** The latest `api_calls_last_24h` sample of every endpoint; instants on the API's clock. */
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
 * Records an attempt that gave no complete snapshot.
 * @returns false when somebody else published since `state.version`: then nothing was written
 */
export async function writeAttempt(
  database: Database,
  company: string,
  state: CompanyState,
): Promise<boolean> {
  return database.orm.transaction((tx) => writeState(tx, company, state));
}

/**
 * Records one complete snapshot in one transaction: all of it, or nothing.
 * @param state the state after this snapshot, still with the version before it
 * @returns false when somebody else published since `state.version`: then nothing was written
 */
export async function writeSnapshot(
  database: Database,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<boolean> {
  return database.orm.transaction(async (tx) => {
    if (!(await writeState(tx, company, state))) return false;
    await writeEndpoints(tx, company, changes.endpoints);
    await writeHistory(tx, company, state, changes);
    return true;
  });
}

/** The version is the fence: a leader that was deposed without noticing finds it moved and stops. */
async function writeState(tx: Transaction, company: string, state: CompanyState): Promise<boolean> {
  const values = {
    version: state.version + 1,
    asOf: instantOrNull(state.asOfMs),
    lastAttemptAt: new Date(state.lastAttemptMs),
    reason: state.reason,
    rhythmSeconds: state.rhythmSeconds,
    nextRefreshAt: new Date(state.nextRefreshMs),
    apiClockOffsetMs: state.apiClockOffsetMs,
    totalPages: state.totalPages,
    rateLimit: state.rateLimit,
    budget: state.budget,
  };
  const written =
    state.version === 0
      ? await tx
          .insert(companyState)
          .values({ company, ...values })
          .onConflictDoNothing()
          .returning({ version: companyState.version })
      : await tx
          .update(companyState)
          .set(values)
          .where(and(eq(companyState.company, company), eq(companyState.version, state.version)))
          .returning({ version: companyState.version });
  return written.length === 1;
}

async function writeEndpoints(
  tx: Transaction,
  company: string,
  changed: SnapshotChanges["endpoints"],
): Promise<void> {
  for (const batch of batches(changed)) {
    await tx
      .insert(endpoints)
      .values(batch.map(({ id, record }) => endpointValues(company, id, record)))
      .onConflictDoUpdate({
        target: [endpoints.company, endpoints.endpointId],
        set: excluded(endpoints, ["company", "endpointId", "firstSeenAt"]),
      });
  }
}

async function writeHistory(
  tx: Transaction,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<void> {
  const at = new Date(changes.apiNowMs);
  for (const batch of batches(changes.runs)) {
    await tx
      .insert(runs)
      .values(
        batch.map((run) => ({
          company,
          endpointId: run.endpointId,
          startedAt: new Date(run.startedMs),
          finishedAt: instantOrNull(run.finishedMs),
          status: run.status,
          durationSeconds: run.durationSeconds,
          firstSeenAt: at,
          origin: "observed",
        })),
      )
      .onConflictDoUpdate({
        target: [runs.company, runs.endpointId, runs.startedAt],
        set: excluded(runs, ["company", "endpointId", "startedAt", "firstSeenAt"]),
      });
  }
  for (const batch of batches(changes.landings)) {
    await tx
      .insert(landings)
      .values(
        batch.map(({ endpointId, landedMs }) => ({
          company,
          endpointId,
          landedAt: new Date(landedMs),
          origin: "observed",
        })),
      )
      .onConflictDoNothing();
  }
  for (const batch of batches(changes.verdictChanges)) {
    await tx
      .insert(verdictChanges)
      .values(
        batch.map(({ endpointId, verdict, previous }) => ({
          company,
          endpointId,
          changedAt: at,
          verdict,
          previous,
        })),
      )
      .onConflictDoUpdate({
        target: [verdictChanges.company, verdictChanges.endpointId, verdictChanges.changedAt],
        set: excluded(verdictChanges, ["company", "endpointId", "changedAt"]),
      });
  }
  for (const batch of batches(changes.callSamples)) {
    await tx
      .insert(callSamples)
      .values(
        batch.map(({ endpointId, value }) => ({
          company,
          endpointId,
          sampledAt: at,
          value,
          origin: "observed",
        })),
      )
      .onConflictDoUpdate({
        target: [callSamples.company, callSamples.endpointId, callSamples.sampledAt],
        set: excluded(callSamples, ["company", "endpointId", "sampledAt"]),
      });
  }
  if (changes.gap !== null) {
    await tx
      .insert(gaps)
      .values({
        company,
        fromAt: new Date(changes.gap.fromMs),
        untilAt: new Date(changes.gap.untilMs),
        reason: changes.gap.reason,
      })
      .onConflictDoUpdate({
        target: [gaps.company, gaps.fromAt],
        set: excluded(gaps, ["company", "fromAt"]),
      });
  }
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
      reported: row.missedSnapshots === 0,
    },
    verdict: row.verdict as Verdict,
    firstSeenMs: row.firstSeenAt.getTime(),
    lastReportedMs: row.lastReportedAt?.getTime() ?? null,
    missedSnapshots: row.missedSnapshots,
    removedMs: row.removedAt?.getTime() ?? null,
  };
}

function endpointValues(
  company: string,
  id: string,
  record: EndpointRecord,
): typeof endpoints.$inferInsert {
  const given = attributesOf(record.row);
  return {
    company,
    endpointId: id,
    endpointKey: given.endpoint_key,
    partnerName: given.partner_name,
    status: given.status,
    lastUpdatedAt: instantOrNull(storableMs(given.last_updated_at)),
    nextSyncAt: instantOrNull(storableMs(given.next_sync_at)),
    lastSyncStatus: given.last_sync_status,
    lastSyncStartedAt: instantOrNull(storableMs(given.last_sync_started_at)),
    lastSyncFinishedAt: instantOrNull(storableMs(given.last_sync_finished_at)),
    lastSyncDurationSeconds: given.last_sync_duration_seconds,
    frequencyMinutes: given.frequency_minutes,
    apiCallsLast24h: given.api_calls_last_24h,
    raw: record.row,
    attributesSeenMs: record.attributesSeenMs,
    verdict: record.verdict,
    firstSeenAt: new Date(record.firstSeenMs),
    lastReportedAt: instantOrNull(record.lastReportedMs),
    missedSnapshots: record.missedSnapshots,
    removedAt: instantOrNull(record.removedMs),
    typicalDurationSeconds: record.known.typical_duration_seconds,
    failuresInARow: record.known.failures_in_a_row,
    lastFinishedStatus: record.known.last_finished_status,
    lastFinishedAt: instantOrNull(storableMs(record.known.last_finished_at)),
    learnedFrequencyMinutes: record.known.learned_frequency_minutes,
  };
}

/** PostgreSQL has no year 0; `instantMs` takes no year beyond 9999. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

/** Epoch milliseconds of an instant as given; null when there is none, or none that can be stored. */
export function storableMs(given: string | null): number | null {
  const ms = instantMs(given);
  return ms !== null && ms >= EARLIEST_MS ? ms : null;
}

function instantOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** The SET clause of an upsert that takes the values given, for all columns but those named. */
function excluded(table: PgTable, except: readonly string[]): Record<string, SQL> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([key]) => !except.includes(key))
      .map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / ROWS_PER_INSERT);
  return Array.from({ length: count }, (_, index) =>
    all.slice(index * ROWS_PER_INSERT, (index + 1) * ROWS_PER_INSERT),
  );
}
