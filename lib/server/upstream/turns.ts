/** Lets waiters through one at a time: the most urgent first, otherwise in order of arrival. */
export type Turns = {
  /**
   * Resolves when it is the caller's turn, which lasts until the returned function is called; calling that
   * again has no effect.
   * @param who any object that identifies the caller, see `ahead`
   * @param rank lower goes first; evaluated each time a turn is free
   * @throws the signal's reason when it aborts first
   */
  take(who: object, rank: () => number, signal?: AbortSignal): Promise<() => void>;
  /** Number of waiters that go before this one; 0: not waiting. */
  ahead(who: object): number;
  /** Whether a waiter is more urgent than this rank. */
  isOvertaken(rank: number): boolean;
};

type Waiter = { who: object; rank: () => number; go: () => void };

export function createTurns(): Turns {
  const waiting: Waiter[] = [];
  let isTaken = false;

  function next(): void {
    const first = waiting.reduce<Waiter | null>(
      (best, each) => (best === null || each.rank() < best.rank() ? each : best),
      null,
    );
    isTaken = first !== null;
    if (first === null) return;
    waiting.splice(waiting.indexOf(first), 1);
    first.go();
  }

  /** Ends the turn once. */
  function ending(): () => void {
    let isOver = false;
    return () => {
      if (!isOver) next();
      isOver = true;
    };
  }

  return {
    take(who, rank, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      if (!isTaken) {
        isTaken = true;
        return Promise.resolve(ending());
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(signal?.reason as Error);
        };
        const waiter: Waiter = {
          who,
          rank,
          go: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve(ending());
          },
        };
        waiting.push(waiter);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    isOvertaken: (rank) => waiting.some((waiter) => waiter.rank() < rank),
    ahead(who) {
      const at = waiting.findIndex((waiter) => waiter.who === who);
      const rank = waiting[at]?.rank();
      if (rank === undefined) return 0;
      const earlier = waiting.filter(
        (other, index) => other.rank() < rank || (other.rank() === rank && index < at),
      );
      return earlier.length + 1;
    },
  };
}
