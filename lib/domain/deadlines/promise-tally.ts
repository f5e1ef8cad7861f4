import type { PromiseState } from "./deadline";

/** Numbers of promises by how their current day stands; one that several feeds have counts once, at its worst. */
export type PromiseTally = { missed: number; atRisk: number; kept: number };

type Promised = { promise?: { id: string; state: PromiseState } | null | undefined };

/** Counts the promises of a company's rows. */
export function tallyPromises(rows: readonly Promised[]): PromiseTally {
  const worst = new Map<string, number>();
  for (const { promise } of rows) {
    if (promise == null) continue;
    worst.set(promise.id, Math.min(worst.get(promise.id) ?? Infinity, RANK[promise.state]));
  }
  const at = (rank: number) => [...worst.values()].filter((one) => one === rank).length;
  return { missed: at(MISSED), atRisk: at(AT_RISK), kept: at(KEPT) };
}

const MISSED = 0;
const AT_RISK = 1;
const OTHER = 2;
const KEPT = 3;

const RANK: Readonly<Record<PromiseState, number>> = {
  missed: MISSED,
  at_risk: AT_RISK,
  being_checked: OTHER,
  open: OTHER,
  not_observed: OTHER,
  excused: OTHER,
  met: KEPT,
};

/** The page of a company's promises. */
export const promisesAddress = (company: string) => `/${encodeURIComponent(company)}/promises`;
