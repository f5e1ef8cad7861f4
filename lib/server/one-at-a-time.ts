import { sharedState } from "./shared-state";

/**
 * Makes answers that cost much one after the other, so that they leave the event loop and the database to others, and
 * makes each once for all who wait for it. One that is being made isn't shared, since it may already be out of date.
 * @param name unique in the process: the lanes belong to their owner, under this name
 * @returns a function; answers of one `lane`, such as a company, are made in the order of asking, and `key` says which
 *   are the same answer. What `make` throws rejects
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
