import { DEFAULT_DAYS, OFFERED_DAYS } from "@/lib/domain/links/limits";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

type Expiry = { days: number; endMs: number };

/**
 * What a link that expires at `expiresMs` can be extended to, counted from now: later by at least a minute, which is as
 * exactly as expiries are shown. `usual`: the one to preselect; missing if the link already expires as late as it can.
 */
export function laterExpiries(
  expiresMs: number,
  nowMs: number,
): { offered: readonly Expiry[]; usual: Expiry | undefined } {
  const offered = OFFERED_DAYS.map((days) => ({ days, endMs: nowMs + days * DAY_MS })).filter(
    ({ endMs }) => endMs - expiresMs >= MINUTE_MS,
  );
  return { offered, usual: offered.find(({ days }) => days >= DEFAULT_DAYS) };
}
