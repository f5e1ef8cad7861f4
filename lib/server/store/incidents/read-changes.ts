import { and, desc, isNotNull, sql, type SQL } from "drizzle-orm";
import { liveUntilMs } from "@/lib/domain/confidence";
import { groupBy } from "@/lib/domain/collections/group-by";
import { mergePeriods, type Period } from "@/lib/domain/history";
import { iso } from "@/lib/domain/time/instant";
import type { Verdict } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { incidentEvents, incidents } from "@/lib/server/store/schema/incidents";
import { asRow, selected, type IncidentEventRow, type IncidentRow } from "./read-incidents";

/** An endpoint whose recorded verdict has changed. `to` null: it was removed. */
type ChangedEndpoint = { endpointId: string; from: Verdict; to: Verdict | null };

/** A company's recorded changes since a given time. */
export type RecordedChanges = {
  /** That time on the API clock, epoch milliseconds; and how far that clock is ahead of ours. */
  sinceMs: number;
  offsetMs: number;
  /** Opened since then, latest first. */
  began: IncidentRow[];
  /** Confirmed ended since then, latest first. */
  ended: IncidentRow[];
  changed: ChangedEndpoint[];
  /** Periods without observation, ascending, epoch milliseconds on our clock. */
  notObserved: Period[];
  openCount: number;
};

/** Start time on the API clock, by company. */
type Since = { company: string; sinceMs: number };
/** Further recorded facts of companies, by slug. */
type RecordedPast = {
  /** API clock minus our clock. */
  offsetMs: number;
  /** Start of the record and its last snapshot, on the API clock; null: no record. */
  recorded: { fromMs: number; untilMs: number } | null;
  rhythmSeconds: number;
  openCount: number;
};

/**
 * Changes in companies since a given time. The number of queries is fixed, however many companies and endpoints
 * there are.
 * @param sinceMs our clock, like `nowMs`: epoch milliseconds
 * @returns by slug; has an entry for every requested company
 * @throws Failure `invalid_request` when it needs more rows than are left in the budget
 */
export async function readChanges(
  database: Database,
  companies: readonly string[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
  budget: RowBudget,
): Promise<Map<string, RecordedChanges>> {
  const pasts = await readPasts(database, companies);
  const wanted = companies.map((company) => ({
    company,
    sinceMs: sinceMs + (pasts.get(company)?.offsetMs ?? 0),
  }));
  const [began, ended, changed, gaps] = await Promise.all([
    readBegan(database, wanted, budget),
    readEnded(database, wanted, budget),
    readChangedEndpoints(database, wanted, budget),
    readGaps(database, wanted, budget),
  ]);
  return new Map(
    wanted.map(({ company, sinceMs: fromMs }) => {
      const past = pasts.get(company);
      const within = { fromMs, untilMs: nowMs + (past?.offsetMs ?? 0) };
      return [
        company,
        {
          sinceMs: fromMs,
          offsetMs: past?.offsetMs ?? 0,
          began: began.get(company) ?? [],
          ended: ended.get(company) ?? [],
          changed: changed.get(company) ?? [],
          notObserved: notObserved(past, gaps.get(company) ?? [], within),
          openCount: past?.openCount ?? 0,
        },
      ];
    }),
  );
}

/**
 * Recorded gaps, plus the time before the record started and the time since its end if it isn't live. A gap is
 * recorded when it ends.
 */
function notObserved(
  past: RecordedPast | undefined,
  gaps: readonly Period[],
  within: Period,
): Period[] {
  const recorded = past?.recorded ?? null;
  const unobserved: Period[] = [...gaps];
  if (recorded === null) unobserved.push(within);
  else {
    unobserved.push({ fromMs: Number.NEGATIVE_INFINITY, untilMs: recorded.fromMs });
    const liveMs = liveUntilMs(recorded.untilMs, past?.rhythmSeconds ?? 0);
    if (liveMs !== null && within.untilMs > liveMs)
      unobserved.push({ fromMs: recorded.untilMs, untilMs: within.untilMs });
  }
  const offsetMs = past?.offsetMs ?? 0;
  return mergePeriods(unobserved, within).map((period) => ({
    fromMs: period.fromMs - offsetMs,
    untilMs: period.untilMs - offsetMs,
  }));
}

async function readPasts(
  { pool }: Database,
  companies: readonly string[],
): Promise<Map<string, RecordedPast>> {
  const { rows } = await pool.query<{
    company: string;
    as_of: Date | null;
    rhythm_seconds: number | null;
    offset_ms: number | null;
    first_seen_at: Date | null;
    demo_from: Date | null;
    open_count: number;
  }>(
    // Only the demo has samples from before the first check, so only its endpoints are looked up.
    `select wanted.company, state.as_of, state.rhythm_seconds, state.api_clock_offset_ms as offset_ms,
       first.first_seen_at,
       case when (
         select origin from call_samples
         where company = wanted.company and endpoint_id = first.endpoint_id order by sampled_at limit 1
       ) = 'demo' then (
         select min(oldest.sampled_at) from endpoints e cross join lateral (
           select sampled_at from call_samples
           where company = e.company and endpoint_id = e.endpoint_id order by sampled_at limit 1
         ) oldest
         where e.company = wanted.company
       ) end as demo_from,
       (select count(*)::int from incidents i
        where i.company = wanted.company and i.ended_at is null) as open_count
     from unnest($1::text[]) as wanted(company)
     left join company_state state on state.company = wanted.company
     left join lateral (
       select endpoint_id, first_seen_at from endpoints e
       where e.company = wanted.company order by first_seen_at, endpoint_id limit 1
     ) first on true`,
    [companies],
  );
  return new Map(
    rows.map((row) => {
      const offsetMs = row.offset_ms ?? 0;
      const asOfMs = row.as_of?.getTime() ?? null;
      const firstMs = (row.first_seen_at?.getTime() ?? asOfMs ?? 0) + offsetMs;
      // A demo's written history is a record, as it is for past moments and charts.
      const fromMs = Math.min(firstMs, row.demo_from?.getTime() ?? Infinity);
      return [
        row.company,
        {
          offsetMs,
          recorded: asOfMs === null ? null : { fromMs, untilMs: asOfMs + offsetMs },
          rhythmSeconds: row.rhythm_seconds ?? 0,
          openCount: row.open_count,
        },
      ];
    }),
  );
}

/** The request as a PostgreSQL table expression. */
const tableOf = (wanted: readonly Since[]): SQL =>
  sql`unnest(${sql.param(wanted.map(({ company }) => company))}::text[],
    ${sql.param(wanted.map(({ sinceMs }) => iso(sinceMs)))}::timestamptz[]) as wanted(company, since)`;

async function readBegan({ orm }: Database, wanted: readonly Since[], budget: RowBudget) {
  const rows = await budget.read((limit) =>
    selected(orm)
      .where(
        sql`exists (select from ${tableOf(wanted)}
          where wanted.company = ${incidents.company} and ${incidents.openedAt} > wanted.since)`,
      )
      .orderBy(desc(incidents.openedAt), desc(incidents.id))
      .limit(limit),
  );
  return byCompany(rows.map(asRow));
}

async function readEnded({ orm }: Database, wanted: readonly Since[], budget: RowBudget) {
  const rows = await budget.read((limit) =>
    selected(orm)
      .where(
        and(
          isNotNull(incidents.endedAt),
          sql`(${incidents.company}, ${incidents.id}) in (
            select said.company, said.incident_id from ${tableOf(wanted)}
            join ${incidentEvents} said on said.company = wanted.company and said.at > wanted.since
            where said.kind in ('ended', 'seen_again'))`,
        ),
      )
      .orderBy(desc(incidents.endedAt), desc(incidents.id))
      .limit(limit),
  );
  return byCompany(rows.map(asRow));
}

/**
 * The earlier verdict is what the first change since then replaced. Omits endpoints that were new or
 * reappeared: they have no earlier verdict.
 */
async function readChangedEndpoints(
  { pool }: Database,
  wanted: readonly Since[],
  budget: RowBudget,
) {
  type Row = { company: string; endpoint_id: string; held: Verdict; verdict: Verdict | null };
  const rows = await readRows<Row>(
    pool,
    budget,
    `select e.company, e.endpoint_id, change.previous as held,
       case when e.removed_at is null then e.verdict end as verdict
     from unnest($1::text[], $2::timestamptz[]) as wanted(company, since)
     join endpoints e on e.company = wanted.company
     join lateral (
       select previous from verdict_changes
       where company = e.company and endpoint_id = e.endpoint_id and changed_at > wanted.since
       order by changed_at limit 1
     ) change on true
     where change.previous is not null and (e.removed_at is not null or change.previous <> e.verdict)
     order by e.company, e.partner_name collate "C", e.endpoint_key collate "C", e.endpoint_id collate "C"
     limit $3`,
    [wanted.map(({ company }) => company), wanted.map(({ sinceMs }) => iso(sinceMs))],
  );
  const changed = new Map<string, ChangedEndpoint[]>();
  for (const { company, endpoint_id: endpointId, held: from, verdict: to } of rows)
    push(changed, company, { endpointId, from, to });
  return changed;
}

/**
 * Verdicts of endpoints since a given time, ascending; null verdict: no longer listed. An endpoint with more
 * than `most` changes, or too many for the number of endpoints, gets null instead of a list: a truncated list
 * would look complete.
 * @param since on the API clock
 * @param most per endpoint
 * @param budget shared by all of them; what is read is counted
 * @returns by endpoint; omits those without changes
 */
export async function readVerdictsSince(
  { pool }: Pick<Database, "pool">,
  { company, sinceMs }: Since,
  endpointIds: readonly string[],
  most: number,
  budget: RowBudget,
): Promise<Map<string, { atMs: number; verdict: Verdict | null }[] | null>> {
  if (endpointIds.length === 0) return new Map();
  // One more change is read than is returned, to detect truncation.
  const ofEach = Math.min(most, Math.floor(budget.left / endpointIds.length) - 1);
  const { rows } = await pool.query<{
    endpoint_id: string;
    changes: [number, Verdict | null][] | null;
  }>(
    // One row per endpoint: tens of thousands of rows would dominate the cost.
    `select wanted.endpoint_id, listed.changes
     from unnest($2::text[]) as wanted(endpoint_id)
     cross join lateral (
       select count(*) as amount, case when count(*) <= $4 then
         json_agg(json_build_array(${epochMs("changed_at")}, verdict) order by changed_at) end as changes
       from (
         select changed_at, verdict from verdict_changes
         where company = $1 and endpoint_id = wanted.endpoint_id and changed_at > $3
         order by changed_at limit $4::int + 1
       ) change
     ) listed
     where listed.amount > 0`,
    [company, endpointIds, iso(sinceMs), Math.max(0, ofEach)],
  );
  budget.take(rows.reduce((sum, { changes }) => sum + (changes?.length ?? 1), 0));
  return new Map(
    rows.map(({ endpoint_id: id, changes }) => [
      id,
      changes?.map(([atMs, verdict]) => ({ atMs, verdict })) ?? null,
    ]),
  );
}

async function readGaps({ pool }: Database, wanted: readonly Since[], budget: RowBudget) {
  const rows = await readRows<{ company: string; from_at: Date; until_at: Date }>(
    pool,
    budget,
    `select gaps.company, from_at, until_at
     from unnest($1::text[], $2::timestamptz[]) as wanted(company, since)
     join gaps on gaps.company = wanted.company and gaps.until_at > wanted.since
     limit $3`,
    [wanted.map(({ company }) => company), wanted.map(({ sinceMs }) => iso(sinceMs))],
  );
  const gaps = new Map<string, Period[]>();
  for (const { company, from_at: from, until_at: until } of rows)
    push(gaps, company, { fromMs: from.getTime(), untilMs: until.getTime() });
  return gaps;
}

/** @param statement with the limit as its last parameter */
function readRows<Row extends Record<string, unknown>>(
  pool: Database["pool"],
  budget: RowBudget,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return budget.read(async (limit) => (await pool.query<Row>(statement, [...values, limit])).rows);
}

function byCompany(rows: readonly IncidentRow[]): Map<string, IncidentRow[]> {
  return groupBy(rows, ({ company }) => company);
}

function push<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

/** An event that affects an incident's severity. */
export type SeverityEvent = {
  atMs: number;
  kind: IncidentEventRow["kind"];
  endpointId: string | null;
  detail: IncidentEventRow["detail"];
};

/**
 * These events for some incidents of a company, in order.
 * @param most per incident; one with more gets none: part of them would be misleading
 * @returns by incident id
 */
export async function readSeverityEvents(
  { pool }: Pick<Database, "pool">,
  company: string,
  ids: readonly number[],
  most: number,
  budget: RowBudget,
): Promise<Map<number, SeverityEvent[]>> {
  type Listed = [number, SeverityEvent["kind"], string | null, SeverityEvent["detail"]];
  if (ids.length === 0) return new Map();
  const rows = await budget.read(async (limit) => {
    // One row per incident: a month of a large company has tens of thousands of events.
    const found = await pool.query<{ id: number; events: Listed[] | null }>(
      `select incident_id as id, case when count(*) <= $3 then
         json_agg(json_build_array(${epochMs("at")}, kind, endpoint_id,
           case when kind = 'seen_again' then detail else json_build_object('to', detail -> 'to')::jsonb end)
           order by seq) end as events
       from incident_events
       where company = $1 and incident_id = any ($2::int[]) and by_id is null
         and kind = any ('{opened,joined,flapped,worsened,eased,left,seen_again}')
       group by incident_id limit $4`,
      [company, ids, most, limit],
    );
    return found.rows;
  });
  return new Map(
    rows.map(({ id, events }) => [
      id,
      (events ?? []).map(([atMs, kind, endpointId, { to, ...others }]) => ({
        atMs,
        kind,
        endpointId,
        detail: to === null || to === undefined ? others : { ...others, to },
      })),
    ]),
  );
}
