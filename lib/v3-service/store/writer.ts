import { sql, type SQL } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Scope } from "@/lib/contracts/v3";
import type { CustomerProject, FileType, RunStatus, SyncConfigStatus } from "./schema";

/**
 * All writes of data that the API reports: the seed and the simulator use these functions, so that the `last_*` columns
 * of `sync_configs` always agree with the history. Every function takes any number of rows and sends a few statements;
 * none opens a transaction.
 */

/** `database.orm`, or a transaction of it. */
export type Writer = Pick<NodePgDatabase, "execute">;

export type SyncConfigKey = { companyId: number; syncConfigId: string };

export type NewCompany = { id: number; name: string };
export type NewClient = {
  companyId: number;
  clientId: string;
  name: string;
  /** From `hashSecret`. */
  secretHash: string;
  scopes: readonly Scope[];
  grantTypes: readonly string[];
  createdAtMs: number;
};
export type NewSyncConfig = {
  companyId: number;
  id: string;
  partnerName: string;
  endpointKey: string;
  status: SyncConfigStatus;
  frequencyMinutes: number | null;
  nextSyncAtMs: number | null;
  recordedSyncAtMs: number | null;
};
/** `finishedAtMs` is null if and only if `status` is `in_progress`. */
export type NewRun = SyncConfigKey & {
  startedAtMs: number;
  finishedAtMs: number | null;
  status: RunStatus;
};
export type NewLanding = SyncConfigKey & { landedAtMs: number };
export type NewApiCalls = SyncConfigKey & { atMs: number; count: number };
export type NewScheduleFile = {
  companyId: number;
  id: number;
  name: string;
  isBaseline: boolean;
  customerProject: CustomerProject | null;
  createdAtMs: number;
  fileType: FileType;
  partnerTokenId: number | null;
};

export const addCompanies = batched<NewCompany>(async (db, rows) => {
  await db.execute(sql`
    insert into v3.companies (id, name)
    select * from unnest(${column(rows, (row) => row.id)}::bigint[],
                         ${column(rows, (row) => row.name)}::text[])`);
});

export const addClients = batched<NewClient>(async (db, rows) => {
  // Scopes and grant types are arrays, which unnest would flatten, so they are passed as JSON.
  await db.execute(sql`
    insert into v3.clients
      (company_id, client_id, name, secret_hash, scopes, grant_types, created_at)
    select company_id, client_id, name, secret_hash,
           array(select jsonb_array_elements_text(scopes)),
           array(select jsonb_array_elements_text(grant_types)),
           created_at
    from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                ${column(rows, (row) => row.clientId)}::text[],
                ${column(rows, (row) => row.name)}::text[],
                ${column(rows, (row) => row.secretHash)}::text[],
                ${column(rows, (row) => JSON.stringify(row.scopes))}::jsonb[],
                ${column(rows, (row) => JSON.stringify(row.grantTypes))}::jsonb[],
                ${instants(rows, (row) => row.createdAtMs)}::timestamptz[])
      as t (company_id, client_id, name, secret_hash, scopes, grant_types, created_at)`);
});

export const addSyncConfigs = batched<NewSyncConfig>(async (db, rows) => {
  await db.execute(sql`
    insert into v3.sync_configs
      (company_id, id, partner_name, endpoint_key, status, frequency_minutes,
       next_sync_at, recorded_sync_at)
    select * from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                         ${column(rows, (row) => row.id)}::text[],
                         ${column(rows, (row) => row.partnerName)}::text[],
                         ${column(rows, (row) => row.endpointKey)}::text[],
                         ${column(rows, (row) => row.status)}::text[],
                         ${column(rows, (row) => row.frequencyMinutes)}::integer[],
                         ${instants(rows, (row) => row.nextSyncAtMs)}::timestamptz[],
                         ${instants(rows, (row) => row.recordedSyncAtMs)}::timestamptz[])`);
});

/**
 * Records runs, in any order. A run recorded as `in_progress` is recorded again, with the same start, when it has
 * finished; the new row replaces the unfinished one.
 */
export const recordRuns = batched<NewRun>(async (db, rows) => {
  const given = sql`
    unnest(${column(rows, (row) => row.companyId)}::bigint[],
           ${column(rows, (row) => row.syncConfigId)}::text[],
           ${instants(rows, (row) => row.startedAtMs)}::timestamptz[],
           ${instants(rows, (row) => row.finishedAtMs)}::timestamptz[],
           ${column(rows, (row) => row.status)}::text[])
      with ordinality as t (company_id, sync_config_id, started_at, finished_at, status, position)`;
  await db.execute(sql`
    delete from v3.runs r using ${given}
    where r.company_id = t.company_id and r.sync_config_id = t.sync_config_id
      and r.started_at = t.started_at and r.status = 'in_progress'`);
  await db.execute(sql`
    insert into v3.runs (company_id, sync_config_id, started_at, finished_at, status)
    select company_id, sync_config_id, started_at, finished_at, status from ${given}
    order by position`);
  await moveLastLanding(
    db,
    rows.flatMap(({ companyId, syncConfigId, status, finishedAtMs }) =>
      status === "completed" && finishedAtMs !== null
        ? [{ companyId, syncConfigId, landedAtMs: finishedAtMs }]
        : [],
    ),
  );
  // Of two runs with the same start the one recorded later is the last, consistent with `runs.id`.
  await db.execute(sql`
    update v3.sync_configs c
    set last_run_started_at = g.started_at,
        last_run_finished_at = g.finished_at,
        last_run_status = g.status
    from (
      select distinct on (company_id, sync_config_id)
             company_id, sync_config_id, started_at, finished_at, status
      from ${given}
      order by company_id, sync_config_id, started_at desc, position desc
    ) g
    where c.company_id = g.company_id and c.id = g.sync_config_id
      and (c.last_run_started_at is null or c.last_run_started_at <= g.started_at)`);
});

/** Records landings reported by the external data pipeline; a repeated one is ignored. */
export const recordLandings = batched<NewLanding>(async (db, rows) => {
  await db.execute(sql`
    insert into v3.pipeline_landings (company_id, sync_config_id, landed_at)
    select * from ${landings(rows)}
    on conflict do nothing`);
  await moveLastLanding(db, rows);
});

/** Records calls made to partners; counts of the same config and instant add up. */
export const recordApiCalls = batched<NewApiCalls>(async (db, rows) => {
  await db.execute(sql`
    insert into v3.api_calls as a (company_id, sync_config_id, at, count)
    select company_id, sync_config_id, at, sum(count)
    from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                ${column(rows, (row) => row.syncConfigId)}::text[],
                ${instants(rows, (row) => row.atMs)}::timestamptz[],
                ${column(rows, (row) => row.count)}::integer[])
      as t (company_id, sync_config_id, at, count)
    group by 1, 2, 3
    on conflict (company_id, sync_config_id, at) do update set count = a.count + excluded.count`);
});

/** Sets the next sync of each config; null: none is scheduled. One row per config. */
export const setNextSync = batched<SyncConfigKey & { nextSyncAtMs: number | null }>(
  async (db, rows) => {
    await db.execute(sql`
    update v3.sync_configs c
    set next_sync_at = t.next_sync_at
    from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                ${column(rows, (row) => row.syncConfigId)}::text[],
                ${instants(rows, (row) => row.nextSyncAtMs)}::timestamptz[])
      as t (company_id, sync_config_id, next_sync_at)
    where c.company_id = t.company_id and c.id = t.sync_config_id`);
  },
);

/** Adds schedule files with their derived data. */
export const addScheduleFiles = batched<NewScheduleFile>(async (db, rows) => {
  await db.execute(sql`
    insert into v3.schedule_files
      (company_id, id, name, is_baseline, customer_project, created_at, file_type, partner_token_id)
    select * from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                         ${column(rows, (row) => row.id)}::bigint[],
                         ${column(rows, (row) => row.name)}::text[],
                         ${column(rows, (row) => row.isBaseline)}::boolean[],
                         ${column(rows, (row) => row.customerProject && JSON.stringify(row.customerProject))}::jsonb[],
                         ${instants(rows, (row) => row.createdAtMs)}::timestamptz[],
                         ${column(rows, (row) => row.fileType)}::text[],
                         ${column(rows, (row) => row.partnerTokenId)}::bigint[])`);
  await db.execute(sql`
    insert into v3.derived_data (company_id, file_id, kind, content)
    select company_id, file_id, 'catalogue_entry', content
    from unnest(${column(rows, (row) => row.companyId)}::bigint[],
                ${column(rows, (row) => row.id)}::bigint[],
                ${column(rows, (row) => JSON.stringify(catalogueEntry(row)))}::jsonb[])
      as t (company_id, file_id, content)`);
});

/**
 * Deletes runs, landings and API calls from before `beforeMs` (epoch milliseconds). The API's responses don't change if
 * that is more than 24 hours ago.
 */
export async function removeHistoryBefore(db: Writer, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs).toISOString();
  await db.execute(
    sql`delete from v3.runs where started_at < ${before} and status <> 'in_progress'`,
  );
  await db.execute(sql`delete from v3.pipeline_landings where landed_at < ${before}`);
  await db.execute(sql`delete from v3.api_calls where at < ${before}`);
}

/** `last_landed_at` only ever moves forward. */
async function moveLastLanding(db: Writer, rows: readonly NewLanding[]): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update v3.sync_configs c
    set last_landed_at = greatest(c.last_landed_at, g.landed_at)
    from (
      select company_id, sync_config_id, max(landed_at) as landed_at
      from ${landings(rows)} group by 1, 2
    ) g
    where c.company_id = g.company_id and c.id = g.sync_config_id`);
}

function landings(rows: readonly NewLanding[]): SQL {
  return sql`
    unnest(${column(rows, (row) => row.companyId)}::bigint[],
           ${column(rows, (row) => row.syncConfigId)}::text[],
           ${instants(rows, (row) => row.landedAtMs)}::timestamptz[])
      as t (company_id, sync_config_id, landed_at)`;
}

/** Rows per statement, so that each stays far below the database's statement timeout. */
const BATCH_ROWS = 2_000;

/** Wraps a writer of a limited number of rows into one for any number, in order. */
function batched<Row>(write: (db: Writer, rows: readonly Row[]) => Promise<void>) {
  return async (db: Writer, rows: readonly Row[]): Promise<void> => {
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      await write(db, rows.slice(start, start + BATCH_ROWS));
    }
  };
}

/** Search data of a file. */
function catalogueEntry(file: NewScheduleFile): object {
  const words = file.name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return { words: [...new Set(words)], project: file.customerProject?.name ?? null };
}

/** One array parameter with the value of every row, in order. */
function column<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | number | boolean | null,
): SQL {
  return sql`${sql.param(rows.map(value))}`;
}

function instants<Row>(rows: readonly Row[], epochMs: (row: Row) => number | null): SQL {
  return column(rows, (row) => {
    const ms = epochMs(row);
    return ms === null ? null : new Date(ms).toISOString();
  });
}
