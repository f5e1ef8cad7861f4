import type { Clock } from "./clock";

/** Companies that people viewed recently, on any instance: their requests go first where many wait. */
export type RecentlyViewed = {
  /** Records that a company was requested from this process. */
  add(company: string): void;
  /** Records a request to another instance. @param word payload of the channel `attention`; null: some may be lost */
  heard: (word: string | null) => void;
  /** Whether the company was requested on any instance within the last five minutes. */
  has(company: string): boolean;
};

/** A page that stays open asks several times within it. */
const LASTS_MS = 5 * 60_000;
/** Other instances are notified of a company this often: several times while it lasts, in case one is lost. */
const TOLD_EVERY_MS = 60_000;

/**
 * Keeps two instants for each company; callers pass only companies that exist.
 * @param options.onLook called when the other instances are to be notified of a company, at most once a minute for each
 */
export function createRecentlyViewed({
  clock,
  onLook = () => {},
}: {
  clock: Pick<Clock, "monotonicMs">;
  onLook?: (company: string) => void;
}): RecentlyViewed {
  const lastMs = new Map<string, number>();
  const toldMs = new Map<string, number>();
  return {
    add(company) {
      const nowMs = clock.monotonicMs();
      lastMs.set(company, nowMs);
      if (nowMs - (toldMs.get(company) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
      toldMs.set(company, nowMs);
      onLook(company);
    },
    heard(word) {
      if (word !== null) lastMs.set(word, clock.monotonicMs());
    },
    has(company) {
      const atMs = lastMs.get(company);
      return atMs !== undefined && clock.monotonicMs() - atMs < LASTS_MS;
    },
  };
}
