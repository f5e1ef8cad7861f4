const DAY_MINUTES = 24 * 60;

/** One feed's calls and runs of the same 24 hours. */
export type FeedUse = {
  id: string;
  /** `api_calls_last_24h`. */
  calls: number;
  /** Runs that started in those 24 hours; null: not all of them are known. */
  runs: number | null;
  /** Null: it has no schedule, because it is paused, event-driven or unknown. */
  cadenceMinutes: number | null;
};

/** What running a feed half as often would free. */
export type SlowerCadence = {
  id: string;
  calls: number;
  runs: number;
  cadenceMinutes: number;
  slowerMinutes: number;
  /** Runs that the slower cadence has in 24 hours; not always whole. */
  slowerRuns: number;
  /** Calls in 24 hours, rounded down, at least 1. */
  frees: number;
};

/**
 * The feeds that would free most calls if they ran half as often, by arithmetic: as many calls in each run as in the
 * past 24 hours, and as many runs as the slower cadence has in a day. Largest first, ties by id.
 * @param most maximum number
 */
export function slowerCadences(feeds: readonly FeedUse[], most: number): SlowerCadence[] {
  return feeds
    .flatMap(({ id, calls, runs, cadenceMinutes }): SlowerCadence[] => {
      if (runs === null || runs === 0 || cadenceMinutes === null || !(cadenceMinutes > 0))
        return [];
      const slowerMinutes = cadenceMinutes * 2;
      if (slowerMinutes > DAY_MINUTES) return [];
      const slowerRuns = DAY_MINUTES / slowerMinutes;
      const frees = Math.floor(calls * (1 - slowerRuns / runs));
      return frees < 1
        ? []
        : [{ id, calls, runs, cadenceMinutes, slowerMinutes, slowerRuns, frees }];
    })
    .toSorted((a, b) => b.frees - a.frees || (a.id < b.id ? -1 : 1))
    .slice(0, most);
}
