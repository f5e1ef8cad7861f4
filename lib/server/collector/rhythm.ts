import { MINUTE_MS } from "@/lib/domain/time/units";
import { WINDOW_MS } from "@/lib/server/upstream/budget";

/** How often the companies of one host are checked. */
export type Rhythm = {
  /** From the start of one check to the start of the next, milliseconds. */
  checkMs: number;
  /**
   * Poll interval: the unit of confidence, gaps and missed rows, and the wait after a failed check. At least
   * `V3_POLL_SECONDS`; longer if the budget has no room for that.
   */
  rhythmSeconds: number;
};

/** Input for a host's check interval. */
export type RhythmGiven = {
  /** Pages that a check reads, per company of the host; an empty list counts as one. */
  pages: readonly number[];
  /** The configured poll interval. */
  pollSeconds: number;
  /** Requests that polls may send to one host within any `WINDOW_MS`; see `budgetShares`. */
  pollsPerWindow: number;
};

/** Data that the API caches for a whole poll interval is then seen at most a third of one late. */
const CHECKS_PER_POLL = 3;
const MIN_CHECK_MS = 1_000;
/**
 * Factor by which checks come later than calculated. Pages cached by the API for whole check intervals are then
 * requested just after they expire, not just before; and a full window has some slack, so that one late page
 * doesn't delay all later ones.
 */
const LATENESS = 1.01;
/** How long there must have been room before checks become more frequent. */
const STEADY_MS = 5 * MINUTE_MS;

/**
 * Calculates the check interval that the budget allows: three checks per poll if all pages of the host's
 * companies fit, otherwise as many as fit, otherwise one check in the time they need. With more than one check
 * per poll, deferrable jobs keep a page per company in each window, which keeps the newest files known.
 */
export function rhythmOf({ pages, pollSeconds, pollsPerWindow }: RhythmGiven): Rhythm {
  const total = pages.reduce((sum, count) => sum + Math.max(1, count), 0);
  const pollMs = pollSeconds * 1000;
  const needMs = minIntervalMs(pollsPerWindow / total);
  const quickMs = Math.max(
    pollMs / CHECKS_PER_POLL,
    MIN_CHECK_MS,
    minIntervalMs(Math.max(0, pollsPerWindow - pages.length) / total),
  );
  const countedMs = quickMs <= pollMs ? quickMs : Math.max(pollMs, needMs);
  return {
    checkMs: Math.ceil(countedMs * LATENESS),
    rhythmSeconds: Math.max(pollSeconds, Math.ceil(needMs / 1000)),
  };
}

/** The most checks of one company that start within any `WINDOW_MS`. */
export function checksPerWindow({ checkMs }: Pick<Rhythm, "checkMs">): number {
  return Math.ceil(WINDOW_MS / checkMs);
}

/** Check interval of a host over time. */
export type SteadyRhythm = {
  /** The interval to use now. @param nowMs on a monotonic clock */
  keep(wanted: Rhythm, nowMs: number): Rhythm;
  /** The upstream had less room than assumed: check at most once per poll for a while. */
  limited(): void;
};

/** Slows down at once, and speeds up only after it could have for five minutes, to avoid oscillation. */
export function createSteadyRhythm(pollSeconds: number): SteadyRhythm {
  const slowMs = Math.ceil(pollSeconds * 1000 * LATENESS);
  let kept: Rhythm | null = null;
  /** Since when a shorter interval has been possible; null: it isn't. */
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
 * When to check next: not before `earliestMs`, and at a distance from the host's other companies, so that
 * checks spread over the interval.
 * @param othersMs when the others are checked next
 * @returns on the clock of the arguments
 */
export function spreadOut(
  earliestMs: number,
  othersMs: readonly number[],
  { checkMs }: Pick<Rhythm, "checkMs">,
): number {
  const apartMs = distanceMs(othersMs.length + 1, { checkMs });
  let atMs = earliestMs;
  for (const otherMs of othersMs.toSorted((a, b) => a - b)) {
    if (Math.abs(atMs - otherMs) < apartMs) atMs = otherMs + apartMs;
  }
  return atMs;
}

/** From the check of one of a host's companies to that of the next. @param companies of the host */
export function distanceMs(companies: number, { checkMs }: Pick<Rhythm, "checkMs">): number {
  return Math.ceil((checkMs * SPREAD) / companies);
}

/** Fraction of the even distance; the rest is slack for checks that start slightly late. */
const SPREAD = 0.9;

/** @param checks of all companies together that fit into a window: rounded down, or a fraction of one */
function minIntervalMs(checks: number): number {
  return WINDOW_MS / (checks >= 1 ? Math.floor(checks) : checks);
}
