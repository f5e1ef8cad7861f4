import type { SeenEndpoint } from "@/lib/domain/report/day-times";
import type { RunsOfDay } from "@/lib/domain/report/month-report";
import type { Period } from "@/lib/domain/history";
import { mapSteps } from "@/lib/domain/steps";
import type { Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import { inSlices } from "@/lib/server/slices";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpointsAsJson } from "@/lib/server/store/history/for-endpoints";
import { HELD, HELD_BEFORE } from "@/lib/server/store/history/recorded-verdicts";

/** `sinceMs`: the last change before the period; null: none on record. */
export type SeenVerdicts = Pick<SeenEndpoint, "before" | "changes" | "wasWebhook"> & {
  sinceMs: number | null;
};

/** Verdict at the start of a period, and the observed changes. Returns an entry for every endpoint. */
export async function readSeenVerdicts(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, SeenVerdicts>> {
  type Row = {
    id: string;
    held: Verdict | null;
    since: number | null;
    was_webhook: boolean | null;
    changes: [number, Verdict | null][] | null;
  };
  const rows = await forEndpointsAsJson<Row>(
    database,
    // A failing or temporarily missing webhook still counts as one, from when it was seen to be one. What it was before
    // the changes on record, the first of them tells or, if it doesn't, the row's status.
    `select wanted.id, ${HELD} as held, ${epochMs("before.changed_at")} as since,
       coalesce(kind.is_webhook, first.was_webhook, given.is_webhook) as was_webhook, changed.changes
     from unnest($2::text[]) as wanted(id)
     ${HELD_BEFORE("$3")}
     left join lateral (
       select verdict is not distinct from 'webhook' as is_webhook from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at < $3
         and (verdict is null or verdict not in ('failing', 'unknown'))
       order by changed_at desc limit 1
     ) kind on true
     left join lateral (
       select case when previous is null or previous not in ('failing', 'unknown')
         then previous is not distinct from 'webhook' end as was_webhook
       from verdict_changes
       where company = $1 and endpoint_id = wanted.id
       order by changed_at limit 1
     ) first on kind.is_webhook is null
     left join lateral (
       select raw -> 'attributes' ->> 'status' = 'webhook' as is_webhook from endpoints
       where company = $1 and endpoint_id = wanted.id
     ) given on true
     cross join lateral (
       select json_agg(json_build_array(${epochMs("changed_at")}, verdict)
         order by changed_at) as changes
       from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at >= $3 and changed_at < $4
     ) changed`,
    [company, endpointIds, iso(fromMs), iso(untilMs)],
  );
  const seenOf = (row: Row): [string, SeenVerdicts] => [
    row.id,
    {
      before: row.held,
      sinceMs: row.since,
      wasWebhook: row.was_webhook ?? false,
      changes: (row.changes ?? []).map(([atMs, verdict]) => ({ atMs, verdict })),
    },
  ];
  return new Map(await inSlices(mapSteps(rows, seenOf)));
}

export const NO_RUNS: RunsOfDay = { completed: 0, failed: 0, timedOut: 0, rateLimited: 0 };

/**
 * Runs started within a period, by how they had ended at a given time. Returns only endpoints with such runs.
 * @param knownMs runs that ended later are excluded
 */
export async function readRunsWithin(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
  knownMs: number,
): Promise<Map<string, RunsOfDay>> {
  const rows = await forEndpointsAsJson<RunsOfDay & { id: string }>(
    database,
    `select endpoint_id as id,
       count(*) filter (where status = 'completed')::int as completed,
       count(*) filter (where status = 'failed')::int as failed,
       count(*) filter (where status = 'timed_out')::int as "timedOut",
       count(*) filter (where status = 'rate_limited')::int as "rateLimited"
     from runs
     where company = $1 and endpoint_id = any($2) and started_at >= $3 and started_at < $4
       and (finished_at is null or finished_at <= $5)
     group by endpoint_id`,
    [company, endpointIds, iso(fromMs), iso(untilMs), iso(knownMs)],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
