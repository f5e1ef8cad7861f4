import { sharedState } from "./shared-state";

/**
 * Computes expensive responses sequentially, so that they don't monopolize the event loop and the database, and each
 * once for all waiting callers. A running computation isn't shared, because it may already be out of date.
 * @param name unique in the process; lanes are stored with their owner under this name
 * @returns a function that computes responses of one lane, such as a company, in order of the calls; equal keys in a
 * lane share a computation. Rejects with the errors of `make`
 */
export function answerLanes<T>(name: string) {
  type Lane = { last: Promise<unknown>; waiting: Map<string, Promise<T>> };

  return function inLane(
    owner: object,
    laneName: string,
    key: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const lanes = sharedState(owner, `lanes: ${name}`, () => new Map<string, Lane>());
    const lane: Lane = lanes.get(laneName) ?? { last: Promise.resolve(), waiting: new Map() };
    lanes.set(laneName, lane);
    const waiting = lane.waiting.get(key);
    if (waiting !== undefined) return waiting;
    const begun = lane.last.then(() => {
      lane.waiting.delete(key);
      return make();
    });
    lane.waiting.set(key, begun);
    const over = end(begun);
    lane.last = over;
    return begun;

    async function end(made: Promise<T>): Promise<void> {
      await made.catch(() => undefined);
      await breathe();
      if (lane.last === over) lanes.delete(laneName);
    }
  };
}

/** Lets pending I/O run between two computations: Node accepts one connection per iteration of the event loop. */
async function breathe(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}
