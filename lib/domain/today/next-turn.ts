import { exceededMs, shiftedMs } from "@/lib/domain/learned-week/rest";
import { isPausedAtSource, type EndpointFacts, type SyncAttributes } from "@/lib/domain/sync";
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
  if (isPausedAtSource(row) || !known.reported) return Infinity;
  const { landingMs, nextMs, cadenceMs, graceMs, staleAfterMs, rests } = terms;
  let soonestMs = Infinity;
  const consider = (ms: number) => {
    if (ms > apiNowMs && ms < soonestMs) soonestMs = ms;
  };
  /** Where the rule is "at least", and where it is "more than". */
  const reached = (sinceMs: number, ms: number) =>
    consider(shiftedMs(rests, sinceMs, Math.ceil(ms)));
  const exceeded = (sinceMs: number, ms: number) => consider(exceededMs(rests, sinceMs, ms));

  if (landingMs !== null) consider(Math.floor(landingMs - CLOCK_SUSPECT_MS));
  if (landingMs !== null && cadenceMs !== null) {
    reached(landingMs, cadenceMs);
    exceeded(landingMs, cadenceMs);
    if (graceMs !== null) exceeded(landingMs, cadenceMs + graceMs);
    if (staleAfterMs !== null) exceeded(landingMs, cadenceMs + staleAfterMs);
  }
  if (nextMs !== null && graceMs !== null) {
    reached(nextMs, 0);
    exceeded(nextMs, 0);
    exceeded(nextMs, graceMs);
    exceeded(nextMs, graceMs + (cadenceMs ?? 0));
  }
  if (terms.runStartedMs !== null && terms.stuckAfterMs !== null)
    consider(Math.floor(terms.runStartedMs + terms.stuckAfterMs) + 1);
  return soonestMs;
}
