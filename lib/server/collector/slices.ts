import { setImmediate as otherWork } from "node:timers/promises";

/** Rows between two pauses: a few milliseconds. */
const ROWS_PER_SLICE = 200;

/** A computation that pauses at each `yield`. */
export type Sliced<T> = Generator<void, T, void>;

/** Goes through a list, and pauses after every 200 entries but the last. */
export function* eachInSlices<T>(all: Iterable<T>, visit: (entry: T) => void): Sliced<void> {
  let count = 0;
  for (const entry of all) {
    if (count > 0 && count % ROWS_PER_SLICE === 0) yield;
    visit(entry);
    count += 1;
  }
}

/** Runs it so that other work gets a turn at each pause: thousands of rows would block the event loop. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await otherWork();
  }
}

/** Runs it without pauses. */
export function withoutPauses<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
