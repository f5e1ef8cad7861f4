import type { RecordedRun } from "@/lib/domain/history";
import { type Verdict } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import { HELD_BEFORE, HELD } from "./recorded-verdicts";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpointsAsJson, MOMENTS_PER_QUERY } from "./for-endpoints";

/** Recorded state of an endpoint at a given time. */
export type EndpointAt = {
  /** Verdict in effect; null: unknown, or removed. */
  verdict: Verdict | null;
  /** The change to that verdict; null: it isn't on record, or the endpoint was new or reappeared. */
  changed: { atMs: number; previous: Verdict } | null;
  /**
   * The last data received that a check had shown by then; null: none, or the API had withdrawn it. Once the API has
   * reported another time since, a withdrawal in between is forgotten.
   */
  landedMs: number | null;
  /** The last run started by then, with its eventual end. */
  run: RecordedRun | null;
  /**
   * Its cadence, given or learned, minutes (null: unknown). `isLater`: it was first recorded afterwards. Null: never
   * recorded.
   */
  cadence: { minutes: number | null; isLater: boolean } | null;
};

type Row = {
  id: string;
  held: Verdict | null;
  changed: number | null;
  previous: Verdict | null;
  landed: number | null;
  /** What the API reports now, if it did so then; null: it reported something else, or nothing is known of it. */
  reported: { landed: string | null } | null;
  started: number | null;
  finished: number | null;
  status: string | null;
  duration_seconds: number | null;
  cadence: [minutes: number | null, isLater: boolean] | null;
};

/** @param wanted a row source of endpoint ids; `company`: theirs; `$3`: the instant */
const statement = (columns: string, wanted: string, company: string) => `
  select ${columns}, ${HELD} as held, ${epochMs("before.changed_at")} as changed, before.previous,
    ${epochMs("landing.landed_at")} as landed, reported.value as reported,
    ${epochMs("run.started_at")} as started, ${epochMs("run.finished_at")} as finished,
    run.status, run.duration_seconds,
    coalesce(
      (select json_build_array(cadence_minutes, false) from endpoint_facts
       where company = ${company} and endpoint_id = wanted.id and seen_at < $3
       order by seen_at desc limit 1),
      (select json_build_array(cadence_minutes, true) from endpoint_facts
       where company = ${company} and endpoint_id = wanted.id and seen_at >= $3
       order by seen_at limit 1)
    ) as cadence
  from ${wanted}
  ${HELD_BEFORE("$3", company)}
  left join lateral (
    select landed_at from landings
    where company = ${company} and endpoint_id = wanted.id and landed_at < $3
      and (seen_at is null or seen_at < $3)
    order by landed_at desc limit 1
  ) landing on true
  left join lateral (
    select json_build_object('landed', raw->'attributes'->>'last_updated_at') as value from endpoints
    where company = ${company} and endpoint_id = wanted.id
      and to_timestamp((attributes_seen_ms->>'last_updated_at')::double precision / 1000) < $3
  ) reported on true
  left join lateral (
    select started_at, finished_at, status, duration_seconds from runs
    where company = ${company} and endpoint_id = wanted.id and started_at < $3
    order by started_at desc limit 1
  ) run on true`;

/** Includes events in the same millisecond. */
const until = (atMs: number) => iso(atMs + 1);

/** Returns an entry for every endpoint. */
export async function readEndpointsAt(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  atMs: number,
): Promise<Map<string, EndpointAt>> {
  const rows = await forEndpointsAsJson<Row>(
    database,
    statement("wanted.id", "unnest($2::text[]) as wanted(id)", "$1"),
    [company, endpointIds, until(atMs)],
    MOMENTS_PER_QUERY,
  );
  return new Map(rows.map((row) => [row.id, endpointAt(row)]));
}

/** The same for endpoints of several companies, in one statement. @returns by company, then by endpoint */
export async function readEndpointsOfAt(
  database: Database,
  endpoints: readonly { company: string; id: string }[],
  atMs: number,
): Promise<Map<string, Map<string, EndpointAt>>> {
  const found = statement(
    "wanted.company, wanted.id",
    "unnest($1::text[], $2::text[]) as wanted(company, id)",
    "wanted.company",
  );
  const { rows } = await database.pool.query<{ found: (Row & { company: string })[] | null }>(
    `select json_agg(row) as found from (${found}) row`,
    [endpoints.map(({ company }) => company), endpoints.map(({ id }) => id), until(atMs)],
  );
  const all = new Map<string, Map<string, EndpointAt>>();
  for (const row of rows.flatMap((one) => one.found ?? [])) {
    const own = all.get(row.company) ?? new Map<string, EndpointAt>();
    all.set(row.company, own.set(row.id, endpointAt(row)));
  }
  return all;
}

function endpointAt({
  held,
  changed,
  previous,
  landed,
  reported,
  started,
  finished,
  status,
  duration_seconds,
  cadence,
}: Row): EndpointAt {
  return {
    verdict: held,
    changed: changed === null || previous === null ? null : { atMs: changed, previous },
    landedMs: reported === null ? landed : heldMs(landed, reported),
    run:
      started === null
        ? null
        : { startedMs: started, finishedMs: finished, status, durationSeconds: duration_seconds },
    cadence: cadence && { minutes: cadence[0], isLater: cadence[1] },
  };
}

/** The API may report an earlier time than before, or none. */
function heldMs(landed: number | null, reported: { landed: string | null }): number | null {
  const reportedMs = instantMs(reported.landed);
  if (landed === null || reportedMs === null) return null;
  return Math.min(landed, reportedMs);
}
