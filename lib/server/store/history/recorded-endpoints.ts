import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { Period } from "@/lib/domain/history";
import { type SourceReason, type Verdict } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import { iso } from "@/lib/domain/time/instant";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpointsAsJson, MOMENTS_PER_QUERY } from "./for-endpoints";

/** Recorded state of a company; timestamps on our clock. */
export type RecordedState = {
  /** The last recorded snapshot; null before the first. */
  asOfMs: number | null;
  reason: SourceReason | null;
  rhythmSeconds: number;
  /** API clock minus our clock. */
  apiClockOffsetMs: number;
};

type StateRow = {
  company: string;
  as_of: Date | null;
  reason: SourceReason | null;
  rhythm_seconds: number;
  api_clock_offset_ms: number;
};
const STATE = `select company, as_of, reason, rhythm_seconds, api_clock_offset_ms from company_state`;

const stateOf = (row: StateRow): RecordedState => ({
  asOfMs: row.as_of?.getTime() ?? null,
  reason: row.reason,
  rhythmSeconds: row.rhythm_seconds,
  apiClockOffsetMs: row.api_clock_offset_ms,
});

/** @returns null before anything was recorded for the company */
export async function readRecordedState(
  database: Database,
  company: string,
): Promise<RecordedState | null> {
  const { rows } = await database.pool.query<StateRow>(`${STATE} where company = $1`, [company]);
  const [row] = rows;
  return row === undefined ? null : stateOf(row);
}

/** By company; without those for which nothing was recorded. */
export async function readRecordedStates(
  database: Database,
  companies: readonly string[],
): Promise<Map<string, RecordedState>> {
  const { rows } = await database.pool.query<StateRow>(`${STATE} where company = any($1)`, [
    companies,
  ]);
  return new Map(rows.map((row) => [row.company, stateOf(row)]));
}

/** Whether a run began at an instant or later, and has ended; on the API's clock. */
export async function hasRunSince(
  database: Database,
  company: string,
  atMs: number,
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "select from endpoints where company = $1 and last_finished_started_at >= $2 limit 1",
    [company, new Date(atMs)],
  );
  return rowCount === 1;
}

/** `lasts`: ongoing. */
export type RecordedGap = Period & { reason: string; lasts: boolean };

type GapRow = { company: string; from_at: Date; until_at: Date; reason: string };

const gapOf = (row: GapRow): RecordedGap => ({
  fromMs: row.from_at.getTime(),
  untilMs: row.until_at.getTime(),
  reason: row.reason,
  lasts: false,
});

/** Gaps that overlap a period, ascending. A gap is recorded when it ends. */
export async function readGapsWithin(
  database: Database,
  company: string,
  { fromMs, untilMs }: Period,
): Promise<RecordedGap[]> {
  const { rows } = await database.pool.query<GapRow>(
    `select company, from_at, until_at, reason from gaps
     where company = $1 and from_at < $3 and until_at > $2
     order by from_at`,
    [company, iso(fromMs), iso(untilMs)],
  );
  return rows.map(gapOf);
}

/** The same for several companies. Returns only those that have any. */
export async function readGapsOfWithin(
  database: Database,
  companies: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, RecordedGap[]>> {
  const { rows } = await database.pool.query<GapRow>(
    `select company, from_at, until_at, reason from gaps
     where company = any($1) and from_at < $3 and until_at > $2
     order by company, from_at`,
    [companies, iso(fromMs), iso(untilMs)],
  );
  return byCompany(rows, gapOf);
}

function byCompany<Row extends { company: string }, T>(
  rows: readonly Row[],
  of: (row: Row) => T,
): Map<string, T[]> {
  const groups = groupBy(rows, ({ company }) => company);
  return new Map(Array.from(groups, ([company, own]) => [company, own.map(of)]));
}

/** A recorded endpoint, removed or not. */
export type RecordedEndpoint = {
  id: string;
  endpointKey: string;
  partnerName: string;
  /** Minutes: configured, else learned; null: neither. */
  frequencyMinutes: number | null;
  verdict: Verdict;
  /** On our clock, like the next two. */
  firstSeenMs: number;
  lastReportedMs: number | null;
  removedMs: number | null;
  /** The earliest sample on record: demo history starts before the first observation. Null: none left. */
  firstSampleMs: number | null;
};

type EndpointRow = {
  company: string;
  endpoint_id: string;
  endpoint_key: string;
  partner_name: string;
  frequency_minutes: number | null;
  verdict: Verdict;
  first_seen_at: Date;
  last_reported_at: Date | null;
  removed_at: Date | null;
  first_sample_at: Date | null;
};

/** @param whose condition on the company of `e` */
const endpointsOf = (whose: string) => `
  select e.company, e.endpoint_id, e.endpoint_key, e.partner_name, e.verdict,
    coalesce(case when e.frequency_minutes > 0 then e.frequency_minutes end,
      e.learned_frequency_minutes) as frequency_minutes,
    e.first_seen_at, e.last_reported_at, e.removed_at, first.sampled_at as first_sample_at
  from endpoints e
  left join lateral (
    select sampled_at from call_samples
    where company = e.company and endpoint_id = e.endpoint_id
    order by sampled_at limit 1
  ) first on true
  where ${whose}`;

const endpointOf = (row: EndpointRow): RecordedEndpoint => ({
  id: row.endpoint_id,
  endpointKey: row.endpoint_key,
  partnerName: row.partner_name,
  frequencyMinutes: row.frequency_minutes,
  verdict: row.verdict,
  firstSeenMs: row.first_seen_at.getTime(),
  lastReportedMs: row.last_reported_at?.getTime() ?? null,
  removedMs: row.removed_at?.getTime() ?? null,
  firstSampleMs: row.first_sample_at?.getTime() ?? null,
});

/**
 * The endpoints of a company, or of one partner, or a single one by id, in the order of `sync-status`.
 * @param wanted.isShown excludes removed ones
 */
export async function readRecordedEndpoints(
  database: Database,
  company: string,
  wanted: { partnerName?: string; endpointId?: string; isShown?: boolean },
): Promise<RecordedEndpoint[]> {
  const { rows } = await database.pool.query<EndpointRow>(
    `${endpointsOf("e.company = $1")}
       and ($2::text is null or e.partner_name = $2)
       and ($3::text is null or e.endpoint_id = $3)
       and (not $4 or e.removed_at is null)
     order by e.partner_name collate "C", e.endpoint_key collate "C", e.endpoint_id collate "C"`,
    [company, wanted.partnerName ?? null, wanted.endpointId ?? null, wanted.isShown === true],
  );
  return rows.map(endpointOf);
}

/** The endpoints of several companies, in no particular order. Returns only companies that have any. */
export async function readRecordedEndpointsOf(
  database: Database,
  companies: readonly string[],
): Promise<Map<string, RecordedEndpoint[]>> {
  const { rows } = await database.pool.query<EndpointRow>(endpointsOf("e.company = any($1)"), [
    companies,
  ]);
  return byCompany(rows, endpointOf);
}

/**
 * The last row received from the API, and when the current value of each attribute was first seen.
 * @returns null when the endpoint isn't on record
 */
export async function readRawRow(
  database: Database,
  company: string,
  endpointId: string,
): Promise<{ row: ReadSyncStatus; attributesSeenMs: Record<string, number> } | null> {
  const { rows } = await database.pool.query<{
    raw: ReadSyncStatus;
    attributes_seen_ms: Record<string, number>;
  }>(`select raw, attributes_seen_ms from endpoints where company = $1 and endpoint_id = $2`, [
    company,
    endpointId,
  ]);
  const [found] = rows;
  return found === undefined
    ? null
    : { row: found.raw, attributesSeenMs: found.attributes_seen_ms };
}

/**
 * Periods during which endpoints were removed, whole, that overlap the requested one; `untilMs` is infinite for those
 * still absent. Returns only endpoints that have any.
 */
export async function readAbsences(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, Period[]>> {
  const rows = await forEndpointsAsJson<{ id: string; from: number; until: number | null }>(
    database,
    `select removal.endpoint_id as id, ${epochMs("removal.changed_at")} as from, ${epochMs("back.changed_at")} as until
     from verdict_changes removal
     left join lateral (
       select changed_at from verdict_changes
       where company = $1 and endpoint_id = removal.endpoint_id and changed_at > removal.changed_at
       order by changed_at limit 1
     ) back on true
     where removal.company = $1 and removal.endpoint_id = any($2) and removal.verdict is null
       and removal.changed_at < $3 and (back.changed_at is null or back.changed_at > $4)
     order by removal.changed_at`,
    [company, endpointIds, iso(untilMs), iso(fromMs)],
    MOMENTS_PER_QUERY,
  );
  const absences = new Map<string, Period[]>();
  for (const { id, from, until } of rows)
    absences.set(id, [...(absences.get(id) ?? []), { fromMs: from, untilMs: until ?? Infinity }]);
  return absences;
}
