import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { hasRunSince } from "./recorded-endpoints";

/** Largest difference between clocks that counts as agreement. */
export const TOLERATED_MS = HOUR_MS;
/** When an instant is over for good, even if nothing but a clock that is ahead says so. */
const AHEAD_PASSES_AFTER_MS = 7 * DAY_MS;

/**
 * Whether a company's clock may not have reached an instant yet, although it says so. One that is ahead of those that agree
 * may be so only now, and usually be behind them: then only a run that began later shows that the instant is over.
 * @param atMs on the API's clock
 * @param now.state as last recorded
 */
export async function isDoubtful(
  database: Database,
  company: string,
  atMs: number,
  { agreedMs, state }: { agreedMs: number; state: { apiClockOffsetMs: number } },
): Promise<boolean> {
  if (state.apiClockOffsetMs <= TOLERATED_MS) return false;
  if (agreedMs >= atMs + AHEAD_PASSES_AFTER_MS) return false;
  return !(await hasRunSince(database, company, atMs));
}
