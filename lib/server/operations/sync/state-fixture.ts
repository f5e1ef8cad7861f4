import type { CompanySnapshot } from "@/lib/server/collector/snapshots";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** For tests: the state of a company that was just checked. @param atMs epoch milliseconds */
export function stateFixture(
  atMs: number,
  given: Partial<CompanySnapshot["state"]> = {},
): CompanySnapshot["state"] {
  return {
    version: 1,
    asOfMs: atMs,
    lastAttemptMs: atMs,
    reason: null,
    rhythmSeconds: 60,
    nextRefreshMs: atMs + MINUTE_MS,
    apiClockOffsetMs: 0,
    databaseClockOffsetMs: null,
    totalPages: 1,
    rateLimit: null,
    budget: { used: 1, limit: 60 },
    ...given,
  };
}
