import type { Clock } from "./clock";

/** Which companies somebody looks at, as this process knows it: they come first where many wait. */
export type Attention = {
  /** Somebody asked for what is known of a company. */
  note(company: string): void;
  /** Whether somebody did within the last minutes. */
  isLookedAt(company: string): boolean;
};

/** A page that stays open asks several times within it. */
const LASTS_MS = 5 * 60_000;

/** Holds one instant for each company that exists: who notes another's name is no caller of ours. */
export function createAttention(clock: Pick<Clock, "monotonicMs">): Attention {
  const lastMs = new Map<string, number>();
  return {
    note(company) {
      lastMs.set(company, clock.monotonicMs());
    },
    isLookedAt(company) {
      const atMs = lastMs.get(company);
      return atMs !== undefined && clock.monotonicMs() - atMs < LASTS_MS;
    },
  };
}
