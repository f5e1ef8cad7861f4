import { PROMISE_STATES, type PromiseState } from "./deadline";

/** Numbers of promises by how their current day stands; one that several feeds have counts once, at its worst. */
export type PromiseTally = { missed: number; atRisk: number; kept: number };

type Promised = { promise?: { id: string; state: PromiseState } | null | undefined };

/** Counts the promises of a company's rows. */
export function tallyPromises(rows: readonly Promised[]): PromiseTally {
  const worst = new Map<string, number>();
  for (const { promise } of rows) {
    if (promise == null) continue;
    const rank = PROMISE_STATES.indexOf(promise.state);
    worst.set(promise.id, Math.min(worst.get(promise.id) ?? Infinity, rank));
  }
  const at = (state: PromiseState) =>
    [...worst.values()].filter((rank) => PROMISE_STATES[rank] === state).length;
  return { missed: at("missed"), atRisk: at("at_risk"), kept: at("met") };
}

/** The page of a company's promises. */
export const promisesAddress = (company: string) => `/${encodeURIComponent(company)}/promises`;
