import type { CompanyState } from "./records";

/** The columns of a company's state, with its next version. */
export function stateValues(state: CompanyState) {
  return {
    version: state.version + 1,
    asOf: instantOrNull(state.asOfMs),
    lastAttemptAt: new Date(state.lastAttemptMs),
    reason: state.reason,
    rhythmSeconds: state.rhythmSeconds,
    nextRefreshAt: new Date(state.nextRefreshMs),
    apiClockOffsetMs: state.apiClockOffsetMs,
    databaseClockOffsetMs: state.databaseClockOffsetMs,
    totalPages: state.totalPages,
    rateLimit: state.rateLimit,
    budget: state.budget,
  };
}

/** @param ms epoch milliseconds */
export function instantOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
