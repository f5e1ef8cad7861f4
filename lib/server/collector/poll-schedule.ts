import type { Clock } from "@/lib/server/clock";
import { createSteadyRhythm, rhythmOf, spreadOut, type Rhythm, type SteadyRhythm } from "./rhythm";
import type { Watch } from "./watched-company";

/** When the companies of a process are checked next. */
export type PollSchedule = ReturnType<typeof createPollSchedule>;

/** Keeps the rhythm of all companies; losing the lead and winning it back does not quicken it. */
export function createPollSchedule({
  clock,
  pollSeconds,
  pollsPerWindow,
}: {
  clock: Clock;
  pollSeconds: number;
  pollsPerWindow: number;
}) {
  /** By company, on the steady clock. */
  const nextStartsMs = new Map<string, number>();
  /** By host. */
  const rhythms = new Map<string, SteadyRhythm>();

  /** Sets when a company is looked at next; `earliestMs` on the steady clock. */
  function plan(watch: Watch, all: readonly Watch[], earliestMs: number): void {
    const othersMs = all
      .filter((other) => other.host === watch.host && other !== watch)
      .map(({ slug }) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY);
    const fromMs = Math.max(earliestMs, clock.monotonicMs());
    nextStartsMs.set(watch.slug, spreadOut(fromMs, othersMs, rhythmFor(watch, all)));
  }

  /** Milliseconds until the next look that is planned; never negative. */
  function startsInMs(watch: Watch): number {
    return Math.max(0, (nextStartsMs.get(watch.slug) ?? 0) - clock.monotonicMs());
  }

  /** All companies of one host share its budget: the rhythm is what all their pages together allow. */
  function rhythmFor(watch: Watch, all: readonly Watch[]): Rhythm {
    const pages = all
      .filter(({ host }) => host === watch.host)
      .map(({ state }) => state.totalPages);
    const steady = rhythms.get(watch.host) ?? createSteadyRhythm(pollSeconds);
    rhythms.set(watch.host, steady);
    return steady.keep(rhythmOf({ pages, pollSeconds, pollsPerWindow }), clock.monotonicMs());
  }

  return {
    plan,
    startsInMs,
    rhythmFor,
    /** When a company was planned to be checked next, on the steady clock; negative infinity: never yet. */
    plannedMs: (slug: string) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY,
    /** The upstream refused a request for its rate limit. */
    limited: (host: string) => rhythms.get(host)?.limited(),
  };
}
