import { setImmediate as nextTurn } from "node:timers/promises";
import type { Random } from "./random";

/** Input and output of the simulated processes, one operation at a time, in an order that follows from the seed. */
export type Turns = {
  /** Waits for its turn, then runs. Never settles if it is dropped before, or if `run` returns null. */
  take<T>(operation: Operation<T>): Promise<T>;
  /** Only this subject's operations are run until `release`, as long as it has any: it has an open transaction. */
  hold(of: object): void;
  release(of: object): void;
  /** Forgets the subject's waiting operations: its process is dead. */
  drop(of: object): void;
  /**
   * Runs everything until nothing waits and nothing is about to be asked for. One at a time in a Node process: what is
   * about to be asked for shows in what keeps its event loop busy.
   */
  settle(): Promise<void>;
  /** How many operations were run. */
  count(): number;
};

type Operation<T> = {
  /** Operations of the same subject keep their order; null: none to keep. */
  of: object | null;
  /** While true, it stays where it is: its process hangs. */
  isHeldUp: () => boolean;
  /** @returns what settles the promise of `take`; null: its result is lost */
  run: () => Promise<(() => T) | null>;
};

type Waiting = {
  of: object | null;
  isHeldUp: () => boolean;
  run: () => Promise<void>;
};

export function createTurns(random: Random): Turns {
  const waiting: Waiting[] = [];
  let holder: object | null = null;
  let count = 0;

  /** The first one of each subject may run; while a transaction is open, only that one's. */
  function ready(): Waiting[] {
    const seen = new Set<object>();
    const first: Waiting[] = [];
    for (const one of waiting) {
      if (one.of !== null && one.of === holder) return [one];
      if (one.of !== null && seen.has(one.of)) continue;
      if (one.of !== null) seen.add(one.of);
      if (!one.isHeldUp()) first.push(one);
    }
    return first;
  }

  async function settle(): Promise<void> {
    for (;;) {
      await untilIdle();
      const [first, ...others] = ready();
      if (first === undefined) return;
      const next = others.length === 0 ? first : random.pick([first, ...others]);
      waiting.splice(waiting.indexOf(next), 1);
      count += 1;
      await next.run();
    }
  }

  return {
    take: ({ of, isHeldUp, run }) =>
      new Promise((resolve, reject) => {
        const runAndTell = async () => {
          const result = await run();
          if (result === null) return;
          try {
            resolve(result());
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ of, isHeldUp, run: runAndTell });
      }),
    hold: (of) => void (holder ??= of),
    release(of) {
      if (holder === of) holder = null;
    },
    drop(of) {
      for (let at = waiting.length - 1; at >= 0; at -= 1)
        if (waiting[at]?.of === of) waiting.splice(at, 1);
      if (holder === of) holder = null;
    },
    settle,
    count: () => count,
  };
}

/**
 * Waits until all code has run as far as it gets without an operation. What code does between two operations takes no
 * turns, so that its pace, which depends on the machine, decides nothing.
 */
async function untilIdle(): Promise<void> {
  do await nextTurn();
  while (hasPendingWork());
}

/** Whether the process waits for files, threads or the rest of its own slices. */
function hasPendingWork(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((kind) => kind === "Immediate" || kind.startsWith("FSReq") || kind === "WorkerTask");
}
