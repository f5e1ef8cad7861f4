import type { PartnerHistory } from "@/lib/contracts/history";
import { HISTORY_RANGES, callInstants, sumsAt } from "@/lib/domain/history";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { refuseMoreDays } from "@/lib/server/store/history/for-endpoints";
import { type HistoryRuntime } from "@/lib/server/store/history/open-record";
import { axisView, openRange, readCharts, series } from "./recorded-range";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { notOnRecord } from "./record-names";
import { choice } from "@/lib/server/http/query";

/**
 * The recorded past of a partner: `GET .../partners/[partner]?range`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read or more days of endpoints;
 * `not_found` for a partner that is not on record
 */
export async function getPartnerHistory(
  unbound: HistoryRuntime,
  given: { company: string; partnerName: string; query: URLSearchParams },
  budget = rowBudget(),
): Promise<PartnerHistory> {
  const runtime = boundRows(unbound, budget);
  const { company, partnerName, query } = given;
  const { database } = runtime;
  const range = choice(query, "range", HISTORY_RANGES) ?? "24h";
  const endpoints = await readRecordedEndpoints(database, company, { partnerName });
  if (endpoints.length === 0) notOnRecord();

  const recorded = await openRange(runtime, company, range);
  refuseMoreDays(endpoints.length, recorded.axis);
  const instantsMs = callInstants(recorded.axis, recorded.axis.callsMs, recorded.nowMs);
  const ids = endpoints.map(({ id }) => id);
  const [charts, read] = await Promise.all([
    readCharts(runtime, recorded, endpoints),
    readCallsAt(database, company, ids, instantsMs, recorded.rhythmSeconds * 1000),
  ]);
  const sums = sumsAt(
    instantsMs,
    charts.map(({ view, absent }) => ({ values: read.get(view.id) ?? [], absent })),
    recorded.gaps,
  );
  return {
    ...axisView(recorded),
    partner_name: partnerName,
    range,
    endpoints: charts.map(({ view }) => view),
    calls: series(instantsMs, sums),
  };
}
