import { countsView } from "./run-counts";
import type { EndpointHistory } from "@/lib/contracts/history";
import { HISTORY_RANGES, callInstants, observedValues } from "@/lib/domain/history";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import { readRawRow, readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { readRunStatistics, type RunStatistics } from "@/lib/server/store/history/recorded-runs";
import { readVerdictChanges } from "@/lib/server/store/history/recorded-verdicts";
import { type HistoryRuntime } from "@/lib/server/store/history/open-record";
import { axisView, openRange, readCharts, series } from "./recorded-range";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { notOnRecord } from "./record-names";
import { choice } from "@/lib/server/http/query";

const MAX_CHANGES = 100;

/**
 * The recorded past of an endpoint: `GET .../endpoints/[id]?range`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read;
 *   `not_found` for an endpoint that is not on record
 */
export async function getEndpointHistory(
  unbound: HistoryRuntime,
  given: { company: string; endpointId: string; query: URLSearchParams },
  budget = rowBudget(),
): Promise<EndpointHistory> {
  const runtime = boundRows(unbound, budget);
  const { company, endpointId, query } = given;
  const { database } = runtime;
  const range = choice(query, "range", HISTORY_RANGES) ?? "24h";
  const [endpoint] = await readRecordedEndpoints(database, company, { endpointId });
  const raw = await readRawRow(database, company, endpointId);
  if (endpoint === undefined || raw === null) notOnRecord();

  const recorded = await openRange(runtime, company, range);
  const { axis, offsetMs } = recorded;
  const instantsMs = callInstants(axis, axis.callsMs, recorded.nowMs);
  const rhythmMs = recorded.rhythmSeconds * 1000;
  const [[drawn], read, statistics, changes] = await Promise.all([
    readCharts(runtime, recorded, [endpoint]),
    readCallsAt(database, company, [endpointId], instantsMs, rhythmMs),
    readRunStatistics(database, company, endpointId, axis),
    readVerdictChanges(database, company, endpointId, axis, MAX_CHANGES),
  ]);
  if (drawn === undefined) notOnRecord();
  const { lastReportedMs } = endpoint;
  return {
    ...axisView(recorded),
    ...drawn.view,
    partner_name: endpoint.partnerName,
    range,
    first_seen_at: iso(endpoint.firstSeenMs + offsetMs),
    last_reported_at: isoOrNull(lastReportedMs === null ? null : lastReportedMs + offsetMs),
    runs: statistics.slots.map((slot) => ({
      at_ms: slot.atMs,
      counts: countsView(slot),
      ...durationsView(slot),
      other_max_seconds: slot.otherMax,
    })),
    durations: { count: statistics.all.completed, ...durationsView(statistics.all) },
    calls: series(
      instantsMs,
      observedValues(instantsMs, read.get(endpointId) ?? [], drawn.unobserved),
    ),
    verdict_changes: changes.map(({ atMs, verdict, previous }) => ({
      at: iso(atMs),
      verdict,
      previous,
    })),
    raw: raw.row,
    raw_seen: Object.fromEntries(
      Object.keys(raw.row.attributes).map((name) => [
        name,
        isoOrNull(raw.attributesSeenMs[name] ?? null),
      ]),
    ),
  };
}

function durationsView({ p50, p95, max }: RunStatistics) {
  return { p50_seconds: p50, p95_seconds: p95, max_seconds: max };
}
