import type { LastChecks } from "@/lib/server/store/delivery/delivery-facts";

/** When a company has messages again, if nothing changes. */
export type Next = {
  /** When its openings will have waited, epoch milliseconds on our clock. */
  waited: readonly number[];
  /** The first observation from then on may show more, epoch milliseconds on its API's clock. */
  fromMs: number;
};

/** Nothing is due until something changes. */
export const NOTHING_DUE: Next = { waited: [], fromMs: Infinity };

/** Which companies may have messages since they were planned. */
export function createDueCompanies(): {
  /** Those that had an eventful check, whose openings have waited, or that were observed when more was due. */
  due(
    connected: readonly string[],
    checks: ReadonlyMap<string, LastChecks>,
    nowMs: number,
  ): readonly string[];
  /** The companies are planned as of these checks. */
  planned(companies: readonly string[], checks: ReadonlyMap<string, LastChecks>): void;
  /** Without it, a company is due with each observation. */
  wait(company: string, next: Next): void;
} {
  /** The checks that each company was last planned with. */
  const plannedUpTo = new Map<string, LastChecks | undefined>();
  const waiting = new Map<string, { waitedMs: number; fromMs: number }>();

  function isDue(company: string, checks: LastChecks | undefined, nowMs: number): boolean {
    const planned = plannedUpTo.get(company);
    const next = waiting.get(company);
    if (checks?.eventfulMs !== planned?.eventfulMs) return true;
    if (next !== undefined && next.waitedMs <= nowMs) return true;
    if (checks === undefined || checks.observedMs === planned?.observedMs) return false;
    return checks.observedMs >= (next?.fromMs ?? -Infinity);
  }

  return {
    due: (connected, checks, nowMs) =>
      connected.filter((company) => isDue(company, checks.get(company), nowMs)),
    planned(companies, checks) {
      for (const company of companies) plannedUpTo.set(company, checks.get(company));
    },
    wait: (company, { waited, fromMs }) =>
      void waiting.set(company, { waitedMs: Math.min(...waited), fromMs }),
  };
}
