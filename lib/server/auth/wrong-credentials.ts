import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";

const COUNTED_CLIENTS = 10_000;

/** Counts invalid credentials per client, in fixed windows. Memory is bounded for any number of clients. */
export type WrongCredentials = {
  /** Counts one. @returns seconds to wait; null: within the limit */
  count(address: string): number | null;
  /** Takes back one that was counted before it was checked, and is valid. */
  uncount(address: string): void;
  /** Same without counting: whether the client is over the limit. */
  secondsToWait(address: string): number | null;
};

/** @param limit invalid credentials allowed per window and client */
export function createWrongCredentials(
  clock: Pick<Clock, "monotonicMs">,
  { lengthMs, limit }: { lengthMs: number; limit: number },
): WrongCredentials {
  const wrong = new LRUCache<string, { sinceMs: number; count: number }>({ max: COUNTED_CLIENTS });
  const isOver = ({ sinceMs }: { sinceMs: number }) => clock.monotonicMs() - sinceMs >= lengthMs;

  function secondsToWait(address: string): number | null {
    const window = wrong.get(address);
    if (window === undefined || isOver(window) || window.count <= limit) return null;
    return Math.max(1, Math.ceil((window.sinceMs + lengthMs - clock.monotonicMs()) / 1000));
  }

  return {
    secondsToWait,
    uncount(address) {
      const window = wrong.get(address);
      if (window !== undefined && window.count > 0) window.count -= 1;
    },
    count(address) {
      const before = wrong.get(address);
      const isNew = before === undefined || isOver(before);
      const window = isNew ? { sinceMs: clock.monotonicMs(), count: 0 } : before;
      window.count += 1;
      if (isNew) wrong.set(address, window);
      return secondsToWait(address);
    },
  };
}
