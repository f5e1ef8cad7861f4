import { RUN_FILTERS, RUN_SORTS, type RunPage } from "@/lib/contracts/history";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { readRunPage } from "@/lib/server/store/history/recorded-runs";
import { countsView } from "./run-counts";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { notOnRecord } from "./record-names";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import { runAt } from "@/lib/domain/history";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice } from "@/lib/server/http/query";

const MAX_PAGES = 10_000;

/**
 * One page of an endpoint's run table:
 * `GET .../endpoints/[id]/runs?status&sort&order&page&per_page`.
 * @param given.atMs only runs that had started by then, as they stood; on the API's clock; null: all, as they are. Not
 *   with a status
 * @throws Failure `invalid_request`; `not_found` for an endpoint that is not on record
 */
export async function listRuns(
  { database }: HistoryRuntime,
  given: {
    company: string;
    endpointId: string;
    query: URLSearchParams;
    atMs?: number | null;
  },
): Promise<RunPage> {
  const { company, endpointId, query, atMs = null } = given;
  const status = choice(query, "status", RUN_FILTERS);
  const sort = choice(query, "sort", RUN_SORTS) ?? "started";
  const order = choice(query, "order", ["asc", "desc"]) ?? "desc";
  const place = readPageRequest(query, { maxPages: MAX_PAGES });
  const [endpoint] = await readRecordedEndpoints(database, company, { endpointId });
  if (endpoint === undefined) notOnRecord();

  const { runs, statistics } = await readRunPage(database, company, endpointId, {
    status,
    sort,
    order,
    atMs,
    ...offsetAndLimit(place),
  });
  const counts = countsView(statistics);
  const total = status === null ? statistics.count : counts[status];
  return {
    data: runs.map((run) => {
      const stood = atMs === null ? run : runAt(run, atMs);
      return {
        started_at: iso(stood.startedMs),
        finished_at: isoOrNull(stood.finishedMs),
        status: stood.status,
        end_missed: run.isSuperseded && stood.status === "in_progress",
        duration_seconds: stood.durationSeconds,
        landed_at: isoOrNull(run.landedMs),
        first_seen_at: iso(run.firstSeenMs),
        origin: run.origin,
      };
    }),
    meta: pageMeta(place, total),
    counts,
  };
}
