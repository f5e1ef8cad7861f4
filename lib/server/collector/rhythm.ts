import { WINDOW_MS } from "@/lib/server/upstream/budget";

/** How often the companies of one host are checked. */
export type Rhythm = {
  /** From the start of one check to the start of the next, milliseconds. */
  checkMs: number;
  /**
   * A poll: what confidence, gaps and missed rows are counted by, and what passes after a check that failed.
   * At least `V3_POLL_SECONDS`; longer when the budget has no room for that.
   */
  rhythmSeconds: number;
};

/** What the rhythm of a host follows from. */
export type RhythmGiven = {
  /** Of each company of the host, the pages that a check reads; an empty list costs one as well. */
  pages: readonly number[];
  /** The rhythm wished for. */
  pollSeconds: number;
  /** Requests that polls may send to one host within any `WINDOW_MS`; see `budgetShares`. */
  pollsPerWindow: number;
};

/** What the API keeps for a whole poll is then seen a third of one late at most. */
const CHECKS_PER_POLL = 3;
const LEAST_CHECK_MS = 1_000;
/**
 * A check comes so much later than counted. Pages that the API keeps for the time of whole checks are then
 * asked for just after they ran out, not just before; and a window that is full has some air, so that a
 * page which was late once does not push all later ones.
 */
const LATENESS = 1.01;
/** How long there must have been room before checks quicken again. */
const STEADY_MS = 5 * 60_000;

/**
 * The rhythm for which there is room: three checks a poll if all pages of all companies of the host fit,
 * else as many as do, else one check in as much time as all of them need. Checks beyond one a poll leave jobs
 * that may wait a page of every company in a window, which is what keeps their newest files known.
 */
export function rhythmOf({ pages, pollSeconds, pollsPerWindow }: RhythmGiven): Rhythm {
  const total = pages.reduce((sum, count) => sum + Math.max(1, count), 0);
  const pollMs = pollSeconds * 1000;
  const needMs = leastMs(pollsPerWindow / total);
  const quickMs = Math.max(
    pollMs / CHECKS_PER_POLL,
    LEAST_CHECK_MS,
    leastMs(Math.max(0, pollsPerWindow - pages.length) / total),
  );
  const countedMs = quickMs <= pollMs ? quickMs : Math.max(pollMs, needMs);
  return {
    checkMs: Math.ceil(countedMs * LATENESS),
    rhythmSeconds: Math.max(pollSeconds, Math.ceil(needMs / 1000)),
  };
}

/** The most checks of one company that begin within any `WINDOW_MS`. */
export function checksPerWindow({ checkMs }: Pick<Rhythm, "checkMs">): number {
  return Math.ceil(WINDOW_MS / checkMs);
}

/** The rhythm of a host over time. */
export type SteadyRhythm = {
  /** The rhythm to keep now. @param nowMs on a clock that never jumps */
  keep(wanted: Rhythm, nowMs: number): Rhythm;
  /** The upstream has less room than we counted on: no quicker than a poll for a while. */
  limited(): void;
};

/** Slows down at once, and quickens when it could have done so for five minutes: it does not flap. */
export function createSteadyRhythm(pollSeconds: number): SteadyRhythm {
  const slowMs = Math.ceil(pollSeconds * 1000 * LATENESS);
  let kept: Rhythm | null = null;
  /** Since when a quicker rhythm has been wanted; null: it has not. */
  let quickerSinceMs: number | null = null;
  return {
    keep(wanted, nowMs) {
      if (kept === null || wanted.checkMs >= kept.checkMs) {
        kept = wanted;
        quickerSinceMs = null;
        return kept;
      }
      quickerSinceMs ??= nowMs;
      if (nowMs - quickerSinceMs >= STEADY_MS) {
        kept = wanted;
        quickerSinceMs = null;
      }
      return kept;
    },
    limited() {
      quickerSinceMs = null;
      if (kept !== null) kept = { ...kept, checkMs: Math.max(kept.checkMs, slowMs) };
    },
  };
}

/**
 * When to check next: not before `earliestMs`, and at a distance from the other companies of the host, so
 * that their checks spread over the time between two.
 * @param othersMs when the others are checked next
 * @returns on the clock of the arguments
 */
export function spreadOut(
  earliestMs: number,
  othersMs: readonly number[],
  { checkMs }: Pick<Rhythm, "checkMs">,
): number {
  const distanceMs = Math.ceil((checkMs * SPREAD) / (othersMs.length + 1));
  let atMs = earliestMs;
  for (const otherMs of othersMs.toSorted((a, b) => a - b)) {
    if (Math.abs(atMs - otherMs) < distanceMs) atMs = otherMs + distanceMs;
  }
  return atMs;
}

/** Of the distance that would be even; the rest is air for checks that begin a little late. */
const SPREAD = 0.9;

/** @param checks of all companies together that fit into a window: as many whole ones, or a part of one */
function leastMs(looks: number): number {
  return WINDOW_MS / (looks >= 1 ? Math.floor(looks) : looks);
}
