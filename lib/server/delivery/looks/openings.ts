/** Which companies were checked since they were planned, or have openings that have waited. */
export function createOpenings(): {
  /** @param observed when each was last checked, epoch milliseconds on its API's clock */
  due(
    connected: readonly string[],
    observed: ReadonlyMap<string, number>,
    nowMs: number,
  ): readonly string[];
  /** The companies are planned as of these observations. */
  planned(companies: readonly string[], observed: ReadonlyMap<string, number>): void;
  /** @param instants when openings of the company will have waited, epoch milliseconds on our clock */
  wait(company: string, instants: readonly number[]): void;
} {
  /** The observation that each company was last planned with. */
  const plannedUpTo = new Map<string, number | undefined>();
  /** When the next opening of a company has waited. */
  const waiting = new Map<string, number>();
  return {
    due: (connected, observed, nowMs) =>
      connected.filter(
        (company) =>
          observed.get(company) !== plannedUpTo.get(company) ||
          (waiting.get(company) ?? Infinity) <= nowMs,
      ),
    planned(companies, observed) {
      for (const company of companies) plannedUpTo.set(company, observed.get(company));
    },
    wait(company, instants) {
      if (instants.length === 0) waiting.delete(company);
      else waiting.set(company, Math.min(...instants));
    },
  };
}
