import { instantMs } from "@/lib/domain/time/instant";
import { PROMISE_STATES, type PromiseState } from "./deadline";

/** What a page reads of a row's promise. `due_at`: ISO 8601 on the API's clock. */
export type ShownPromise = { due_at: string; state: PromiseState };

/**
 * The state of a row's promise as a page ages: one that was open when it was last checked is being checked once it is
 * due.
 * @param nowMs epoch milliseconds on the API's clock
 */
export function shownState({ due_at, state }: ShownPromise, nowMs: number): PromiseState {
  const isOpen = state === "open" || state === "at_risk";
  return isOpen && (instantMs(due_at) ?? Infinity) <= nowMs ? "being_checked" : state;
}

/** Whether a state asks for attention. */
export function isPressing(state: PromiseState): boolean {
  return state === "missed" || state === "at_risk";
}

/** Of promises in one state: first those without data, then by the latest data; only missed ones have any. */
export function compareLateData(
  a: { late_seconds: number | null },
  b: { late_seconds: number | null },
): number {
  const [lateA, lateB] = [a.late_seconds ?? Infinity, b.late_seconds ?? Infinity];
  return lateA === lateB ? 0 : lateB - lateA;
}

/** The most urgent first: by state, when it is due, and for missed ones by their data. */
export function compareUrgency(
  a: ShownPromise & { late_seconds: number | null },
  b: ShownPromise & { late_seconds: number | null },
): number {
  return (
    PROMISE_STATES.indexOf(a.state) - PROMISE_STATES.indexOf(b.state) ||
    Date.parse(a.due_at) - Date.parse(b.due_at) ||
    compareLateData(a, b)
  );
}

/** Position within a verdict: missed, at risk, then all others. */
export function promiseRank(promise: Pick<ShownPromise, "state"> | null | undefined): number {
  if (promise === null || promise === undefined) return 2;
  return isPressing(promise.state) ? PROMISE_STATES.indexOf(promise.state) : 2;
}
