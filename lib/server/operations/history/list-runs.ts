import { RUN_FILTERS, RUN_SORTS, type RunPage } from "@/lib/contracts/history";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { readRunPage } from "@/lib/server/store/history/recorded-runs";
import { countsView } from "./run-counts";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { notOnRecord } from "./record-names";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import { pageMeta, placeOf, rowsAt } from "@/lib/server/http/paging";
import { choice } from "@/lib/server/http/query";

const MOST_PAGES = 10_000;

/**
 * One page of an endpoint's run table:
 * `GET .../endpoints/[id]/runs?status&sort&order&page&per_page`.
 * @throws Failure `invalid_request`; `not_found` for an endpoint that is not on record
 */
export async function listRuns(
  { database }: HistoryRuntime,
  given: { company: string; endpointId: string; query: URLSearchParams },
): Promise<RunPage> {
  const { company, endpointId, query } = given;
  const status = choice(query, "status", RUN_FILTERS);
  const sort = choice(query, "sort", RUN_SORTS) ?? "started";
  const order = choice(query, "order", ["asc", "desc"]) ?? "desc";
  const place = placeOf(query, { mostPages: MOST_PAGES });
  const [endpoint] = await readRecordedEndpoints(database, company, { endpointId });
  if (endpoint === undefined) notOnRecord();

  const { runs, statistics } = await readRunPage(database, company, endpointId, {
    status,
    sort,
    order,
    ...rowsAt(place),
  });
  const counts = countsView(statistics);
  const total = status === null ? statistics.count : counts[status];
  return {
    data: runs.map((run) => ({
      started_at: iso(run.startedMs),
      finished_at: isoOrNull(run.finishedMs),
      status: run.status,
      end_missed: run.isSuperseded && run.status === "in_progress",
      duration_seconds: run.durationSeconds,
      landed_at: isoOrNull(run.landedMs),
      first_seen_at: iso(run.firstSeenMs),
      origin: run.origin,
    })),
    meta: pageMeta(place, total),
    counts,
  };
}
