import type { ThenView } from "@/lib/contracts/history";
import { text } from "@/lib/server/http/query";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { requestedInstant, openThen, type ThenRuntime } from "./open-then";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { notOnRecord } from "./record-names";

/**
 * What viewers saw of a partner at an instant: `GET .../partners/[partner]/at?at&endpoint`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read;
 *   `not_found` for a partner or endpoint that is not on record
 */
export async function getPartnerAt(
  unbound: ThenRuntime,
  given: { company: string; partnerName: string; query: URLSearchParams },
  budget = rowBudget(),
): Promise<ThenView> {
  const runtime = boundRows(unbound, budget);
  const { company, partnerName, query } = given;
  const atMs = requestedInstant(query);
  const endpointId = text(query, "endpoint");
  const endpoints = await readRecordedEndpoints(runtime.database, company, {
    partnerName,
    ...(endpointId !== null && { endpointId }),
  });
  if (endpoints.length === 0) notOnRecord();

  const then = await openThen(runtime, company, endpoints, atMs);
  return {
    partner_name: partnerName,
    ...then.view,
    endpoints: endpoints.map((endpoint) => then.endpointAt(endpoint)),
  };
}
