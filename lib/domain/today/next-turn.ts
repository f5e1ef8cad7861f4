import type { EndpointFacts, SyncAttributes } from "@/lib/domain/sync";
import { CLOCK_SUSPECT_MS, type Judgement } from "@/lib/domain/verdict";

/**
 * The earliest instant at which the passing of time alone may change an endpoint's verdict, or make it overdue.
 * @param judgement of the row at `apiNowMs`
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds after `apiNowMs`; Infinity: never. The verdict is the same at every instant before it,
 *   but needn't change at it
 */
export function nextTurnMs(
  row: Pick<SyncAttributes, "status">,
  known: Pick<EndpointFacts, "reported">,
  { terms }: Pick<Judgement, "terms">,
  apiNowMs: number,
): number {
  if (row.status === "inactive" || !known.reported) return Infinity;
  const { landingMs, nextMs, cadenceMs, graceMs, staleAfterMs } = terms;
  let soonestMs = Infinity;
  const consider = (ms: number) => {
    if (ms > apiNowMs && ms < soonestMs) soonestMs = ms;
  };
  /** Where the rule is "later than": the first millisecond that is. */
  const after = (ms: number) => consider(Math.floor(ms) + 1);

  if (landingMs !== null) consider(Math.floor(landingMs - CLOCK_SUSPECT_MS));
  if (landingMs !== null && cadenceMs !== null) {
    const dueMs = landingMs + cadenceMs;
    consider(Math.ceil(dueMs));
    after(dueMs);
    if (graceMs !== null) after(dueMs + graceMs);
    if (staleAfterMs !== null) after(dueMs + staleAfterMs);
  }
  if (nextMs !== null && graceMs !== null) {
    consider(Math.ceil(nextMs));
    after(nextMs);
    after(nextMs + graceMs);
    after(nextMs + graceMs + (cadenceMs ?? 0));
  }
  if (terms.runStartedMs !== null && terms.stuckAfterMs !== null)
    after(terms.runStartedMs + terms.stuckAfterMs);
  return soonestMs;
}
