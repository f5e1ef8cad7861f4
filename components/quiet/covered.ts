import type { Expectation } from "@/lib/contracts/quiet";
import { concerns } from "@/lib/domain/quiet/concerns";

/** Planned quiet times; the API's clock is `offsetMs` ahead of the server's. */
export type Planned = { all: readonly Expectation[]; offsetMs: number };

/** Whether it covers every endpoint of the partner. */
export function isOfAll(
  { partner_name: of, endpoint_id: id }: Expectation,
  partner: string,
): boolean {
  return id === null && (of === null || of === partner);
}

/** Whether it covers an endpoint. */
export const covers = (
  { partner_name: partner, endpoint_id: endpointId }: Expectation,
  endpoint: { id: string; partner: string },
): boolean => concerns({ partner, endpointId }, endpoint);

/** Those that are active. @param apiNowMs on the API's clock, epoch milliseconds */
export const activeOf = (all: readonly Expectation[], apiNowMs: number): Expectation[] =>
  all.filter(({ quiet }) => {
    if (quiet === null || Date.parse(quiet.from) > apiNowMs) return false;
    return quiet.until === null || Date.parse(quiet.until) > apiNowMs;
  });
