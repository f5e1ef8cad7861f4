import type { PartnerHistory } from "@/lib/contracts/history";
import { HISTORY_RANGES, callInstants, sumsAt } from "@/lib/domain/history";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { axisView, openRange, pastsOf, series, type PastRuntime } from "./recorded-range";
import { notOnRecord } from "./record-names";
import { choice } from "@/lib/server/http/query";

/**
 * The recorded past of a partner: `GET .../partners/[partner]?range`.
 * @throws Failure `invalid_request`; `not_found` for a partner of whom nothing is on record
 */
export async function getPartnerHistory(
  runtime: PastRuntime,
  given: { company: string; partnerName: string; query: URLSearchParams },
): Promise<PartnerHistory> {
  const { company, partnerName, query } = given;
  const { database } = runtime;
  const range = choice(query, "range", HISTORY_RANGES) ?? "24h";
  const endpoints = await readRecordedEndpoints(database, company, { partnerName });
  if (endpoints.length === 0) notOnRecord();

  const past = await openRange(runtime, company, range);
  const instantsMs = callInstants(past.axis, past.axis.callsMs, past.nowMs);
  const ids = endpoints.map(({ id }) => id);
  const [pasts, read] = await Promise.all([
    pastsOf(runtime, past, endpoints),
    readCallsAt(database, company, ids, instantsMs, past.rhythmSeconds * 1000),
  ]);
  const sums = sumsAt(
    instantsMs,
    pasts.map(({ view, absent }) => ({ values: read.get(view.id) ?? [], absent })),
    past.gaps,
  );
  return {
    ...axisView(past),
    partner_name: partnerName,
    range,
    endpoints: pasts.map(({ view }) => view),
    calls: series(instantsMs, sums),
  };
}
