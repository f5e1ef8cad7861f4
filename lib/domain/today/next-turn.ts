import { shiftedMs } from "@/lib/domain/learned-week/rest";
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
  const { landingMs, nextMs, cadenceMs, graceMs, staleAfterMs, rests } = terms;
  let soonestMs = Infinity;
  const consider = (ms: number) => {
    if (ms > apiNowMs && ms < soonestMs) soonestMs = ms;
  };
  /** Where the rule is "later than": the first millisecond that is. */
  const after = (ms: number) => consider(Math.floor(ms) + 1);

  if (landingMs !== null) consider(Math.floor(landingMs - CLOCK_SUSPECT_MS));
  if (landingMs !== null && cadenceMs !== null) {
    const ageMs = (ms: number) => shiftedMs(rests, landingMs, ms);
    consider(Math.ceil(ageMs(cadenceMs)));
    after(ageMs(cadenceMs));
    if (graceMs !== null) after(ageMs(cadenceMs + graceMs));
    if (staleAfterMs !== null) after(ageMs(cadenceMs + staleAfterMs));
  }
  if (nextMs !== null && graceMs !== null) {
    const since = (ms: number) => shiftedMs(rests, nextMs, ms);
    consider(Math.ceil(since(0)));
    after(since(0));
    after(since(graceMs));
    after(since(graceMs + (cadenceMs ?? 0)));
  }
  if (terms.runStartedMs !== null && terms.stuckAfterMs !== null)
    after(terms.runStartedMs + terms.stuckAfterMs);
  return soonestMs;
}
