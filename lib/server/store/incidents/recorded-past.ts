import { eq } from "drizzle-orm";
import { isTrouble, NO_INCIDENTS, type EndedIncident } from "@/lib/domain/incidents/incident";
import type { PastPeriod, RecordedPast } from "@/lib/domain/incidents/past-endpoint";
import type { IncidentsReplay } from "@/lib/domain/incidents/replay";
import type { IncidentEvent } from "@/lib/domain/incidents/step";
import type { Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import type { Database, Writer } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpoints } from "@/lib/server/store/history/for-endpoints";
import { readGapsWithin } from "@/lib/server/store/history/recorded-endpoints";
import { readRecordBegin } from "@/lib/server/store/report/report-day";
import { readPlannedQuietWithin } from "@/lib/server/store/quiet/planned-quiet";
import { incidentStates } from "@/lib/server/store/schema/incidents";
import { insertPastIncidents } from "./incident-records";

/** Progress of deriving incidents from the record that predates incident detection. */
export type PastIncidents = {
  /** The first check processed live; incidents from then on exist already. */
  liveFromMs: number;
  /** The last incident id assigned. */
  lastId: number;
  done: IncidentsReplay;
};

/**
 * State of a company's replay. Timestamps are epoch milliseconds on the API clock.
 * @returns null: finished, or no check has been processed yet
 */
export async function readPastIncidents(
  database: Database,
  company: string,
): Promise<PastIncidents | null> {
  const { rows } = await database.pool.query<{
    live_from: Date;
    last_id: number;
    replay: IncidentsReplay | null;
  }>(
    // If the first check is unknown, the replay stops at the first recorded incident.
    `select coalesce(state.first_observed_at,
         (select min(opened_at) from incidents where company = $1), state.observed_at) as live_from,
       state.last_id, state.replay
     from incident_states state
     where state.company = $1 and state.recorded_since is null`,
    [company],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const liveFromMs = row.live_from.getTime();
  return { liveFromMs, lastId: row.last_id, done: row.replay ?? (await start()) };

  async function start(): Promise<IncidentsReplay> {
    const fromMs = Math.min((await readRecordBegin(database, company)) ?? liveFromMs, liveFromMs);
    return { fromMs, untilMs: fromMs, state: NO_INCIDENTS, events: [] };
  }
}

/** Whether a company's replay is finished, or there is no record to replay. */
export async function isPastReplayed(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<boolean> {
  const { rows } = await pool.query<{ is_replayed: boolean }>(
    `select exists (select from incident_states where company = $1 and recorded_since is not null)
       or not exists (select from verdict_changes where company = $1) as is_replayed`,
    [company],
  );
  return rows[0]?.is_replayed ?? true;
}

/** A check finds data that arrived after it started, so the query reads this much further. */
const READ_AHEAD_MS = 60_000;
/** Runs to read before the period, for dating the start of failure streaks. */
const RUNS_BEFORE = 50;

type EndpointRow = {
  id: string;
  key: string;
  partner: string;
  frequency: number | null;
  typical: number | null;
  seen: Record<string, number>;
};

/**
 * Reads a period of the record as input for incident detection.
 * @param sinceMs the last check before it; null: none
 */
export async function readPastPeriod(
  database: Database,
  company: string,
  {
    fromMs,
    untilMs,
    sinceMs,
    seenWithinMs,
  }: { fromMs: number; untilMs: number; sinceMs: number | null; seenWithinMs: number },
): Promise<PastPeriod> {
  const { rows } = await database.pool.query<EndpointRow>(
    `select endpoint_id as id, endpoint_key as key, partner_name as partner,
       frequency_minutes as frequency, typical_duration_seconds as typical, attributes_seen_ms as seen
     from endpoints where company = $1 order by endpoint_id collate "C"`,
    [company],
  );
  const verdicts = await readVerdicts(database, company, rows, { fromMs, untilMs });
  const ids = [...verdicts.keys()];
  const until = iso(untilMs + READ_AHEAD_MS);
  const [landings, runs, gaps, quiet] = await Promise.all([
    forEndpoints<{ id: string; landings: [number, number | null][] | null }>(
      database,
      `select wanted.id, landed.landings
       from unnest($2::text[]) as wanted(id)
       cross join lateral (
         select json_agg(json_build_array(${epochMs("landed_at")}, ${epochMs("seen_at")})
           order by landed_at) as landings
         from landings
         where company = $1 and endpoint_id = wanted.id and landed_at < $4
           -- The newest one seen before the period, and all since: the API may have reported these weeks late.
           and landed_at >= coalesce(
             (select landed_at from landings
              where company = $1 and endpoint_id = wanted.id and landed_at < $3
                and (seen_at is null or seen_at < $3)
              order by landed_at desc limit 1), '-infinity')
       ) landed`,
      [company, ids, iso(fromMs), until],
    ),
    forEndpoints<{ id: string; runs: [string | null, number, number | null][] | null }>(
      database,
      `select wanted.id, run.runs
       from unnest($2::text[]) as wanted(id)
       cross join lateral (
         select json_agg(json_build_array(status, ${epochMs("started_at")}, ${epochMs("finished_at")})
           order by started_at desc) as runs
         from (
           (select started_at, finished_at, status from runs
            where company = $1 and endpoint_id = wanted.id and started_at < $3
            order by started_at desc limit ${RUNS_BEFORE})
           union all
           (select started_at, finished_at, status from runs
            where company = $1 and endpoint_id = wanted.id and started_at >= $3 and started_at < $4)
         ) recent
       ) run`,
      [company, ids, iso(fromMs), until],
    ),
    readGapsWithin(database, company, {
      fromMs: Math.min(sinceMs ?? fromMs, fromMs - seenWithinMs),
      untilMs,
    }),
    readPlannedQuietWithin(database, company, { fromMs, untilMs }),
  ]);
  const landingsOf = new Map(landings.map(({ id, landings: own }) => [id, own ?? []]));
  const runsOf = new Map(runs.map(({ id, runs: own }) => [id, own ?? []]));
  return {
    fromMs,
    untilMs,
    gaps,
    quiet,
    seenWithinMs,
    endpoints: rows.flatMap(({ id, key, partner, frequency, typical }) => {
      const own = verdicts.get(id);
      if (own === undefined) return [];
      return {
        id,
        key,
        partner,
        frequencyMinutes: frequency,
        typicalSeconds: typical,
        ...own,
        landings: (landingsOf.get(id) ?? []).map(([atMs, seenMs]) => ({ atMs, seenMs })),
        runs: (runsOf.get(id) ?? []).map(([status, startedMs, finishedMs]) => ({
          status,
          startedMs,
          finishedMs,
        })),
      };
    }),
  };
}

type Verdicts = Pick<RecordedPast, "before" | "changes">;

/** Verdict changes of endpoints that were in trouble, unknown, or new in the period. */
async function readVerdicts(
  database: Database,
  company: string,
  endpoints: readonly EndpointRow[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<Map<string, Verdicts>> {
  type Row = {
    id: string;
    before_ms: number | null;
    before: Verdict | null;
    changes: [number, Verdict | null, boolean][] | null;
  };
  const rows = await forEndpoints<Row>(
    database,
    `select wanted.id, ${epochMs("before.changed_at")} as before_ms, before.verdict as before, changed.changes
     from unnest($2::text[]) as wanted(id)
     left join lateral (
       select changed_at, verdict from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at < $3
       order by changed_at desc limit 1
     ) before on true
     cross join lateral (
       select json_agg(json_build_array(${epochMs("changed_at")}, verdict, is_rescheduled) order by changed_at) as changes
       from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at >= $3 and changed_at < $4
     ) changed`,
    [company, endpoints.map(({ id }) => id), iso(fromMs), iso(untilMs)],
  );
  const partnerFromMs = new Map(endpoints.map(({ id, seen }) => [id, hasPartnerFromMs(seen)]));
  const found = new Map<string, Verdicts>();
  for (const row of rows) {
    const knownFromMs = partnerFromMs.get(row.id) ?? -Infinity;
    const before =
      row.before_ms === null || row.before_ms < knownFromMs
        ? null
        : { atMs: row.before_ms, verdict: row.before };
    const changes = (row.changes ?? [])
      .filter(([atMs]) => atMs >= knownFromMs)
      .map(([atMs, verdict, isRescheduled]) => ({ atMs, verdict, isRescheduled }));
    const isOfInterest = [before, ...changes].some(
      (change) => change !== null && (isTrouble(change.verdict) || change.verdict === "unknown"),
    );
    if (isOfInterest) found.set(row.id, { before, changes });
  }
  return found;
}

/**
 * Since when an endpoint has had its current partner; its earlier partner isn't on record.
 * @returns epoch milliseconds; minus infinity if it never changed partner, as far as is known
 */
function hasPartnerFromMs(seen: Readonly<Record<string, number>>): number {
  const { partner_name: partnerMs } = seen;
  const firstMs = Math.min(...Object.values(seen));
  return partnerMs !== undefined && partnerMs > firstMs ? partnerMs : -Infinity;
}

/**
 * Writes the incidents of a replayed period and the replay's progress, in one transaction.
 * @param ended ended incidents, by the replay's ids, with all their events
 * @param done null: the replay is finished
 * @returns the last incident id now assigned; null when it changed meanwhile, and nothing was written
 */
export async function writePastIncidents(
  writer: Writer,
  company: string,
  past: PastIncidents,
  {
    ended,
    done,
  }: {
    ended: readonly { incident: EndedIncident; events: readonly IncidentEvent[] }[];
    done: IncidentsReplay | null;
  },
): Promise<number | null> {
  return writer.orm.transaction(async (tx) => {
    const [state] = await tx
      .select({ lastId: incidentStates.lastId })
      .from(incidentStates)
      .where(eq(incidentStates.company, company))
      .for("update");
    if (state?.lastId !== past.lastId) return null;
    const lastId = past.lastId + ended.length;
    await insertPastIncidents(
      tx,
      company,
      ended.map(({ incident, events }, index) => {
        const id = past.lastId + 1 + index;
        return {
          incident: { ...incident, id },
          events: events.map((event) => ({ ...event, incidentId: id })),
        };
      }),
    );
    await tx
      .update(incidentStates)
      .set({
        lastId,
        firstObservedAt: new Date(past.liveFromMs),
        replay: done,
        recordedSince: done === null ? new Date(past.done.fromMs) : null,
      })
      .where(eq(incidentStates.company, company));
    return lastId;
  });
}
