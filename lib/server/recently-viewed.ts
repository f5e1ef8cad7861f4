import type { Clock } from "./clock";

/** Which companies somebody looks at, on whichever instance: they come first where many wait. */
export type RecentlyViewed = {
  /** Somebody asked this process for what is known of a company. */
  view(company: string): void;
  /** Somebody asked another one. @param word of the channel `attention`; null: some may have been missed */
  heard: (word: string | null) => void;
  /** Whether somebody did within the last minutes. */
  isRecentlyViewed(company: string): boolean;
};

/** A page that stays open asks several times within it. */
const LASTS_MS = 5 * 60_000;
/** The others are told of a company again after this: several times while it lasts, should a word be lost. */
const TOLD_EVERY_MS = 60_000;

/**
 * Holds two instants for each company that exists: who notes another's name is no caller of ours.
 * @param options.onLook called when the other instances are to be told of a company, at most once a minute each
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
    view(company) {
      const nowMs = clock.monotonicMs();
      lastMs.set(company, nowMs);
      if (nowMs - (toldMs.get(company) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
      toldMs.set(company, nowMs);
      onLook(company);
    },
    heard(word) {
      if (word !== null) lastMs.set(word, clock.monotonicMs());
    },
    isRecentlyViewed(company) {
      const atMs = lastMs.get(company);
      return atMs !== undefined && clock.monotonicMs() - atMs < LASTS_MS;
    },
  };
}
