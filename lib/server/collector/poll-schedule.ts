import type { Clock } from "@/lib/server/clock";
import { createSteadyRhythm, rhythmOf, spreadOut, type Rhythm, type SteadyRhythm } from "./rhythm";
import type { WatchedCompany } from "./watched-company";

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

  /** Sets when a company is checked next; `earliestMs` on the steady clock. */
  function plan(company: WatchedCompany, all: readonly WatchedCompany[], earliestMs: number): void {
    const othersMs = all
      .filter((other) => other.host === company.host && other !== company)
      .map(({ slug }) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY);
    const fromMs = Math.max(earliestMs, clock.monotonicMs());
    nextStartsMs.set(company.slug, spreadOut(fromMs, othersMs, rhythmFor(company, all)));
  }

  /** Milliseconds until the next check that is planned; never negative. */
  function startsInMs(company: WatchedCompany): number {
    return Math.max(0, (nextStartsMs.get(company.slug) ?? 0) - clock.monotonicMs());
  }

  /** All companies of one host share its budget: the rhythm is what all their pages together allow. */
  function rhythmFor(company: WatchedCompany, all: readonly WatchedCompany[]): Rhythm {
    const pages = all
      .filter(({ host }) => host === company.host)
      .map(({ state }) => state.totalPages);
    const steady = rhythms.get(company.host) ?? createSteadyRhythm(pollSeconds);
    rhythms.set(company.host, steady);
    return steady.keep(rhythmOf({ pages, pollSeconds, pollsPerWindow }), clock.monotonicMs());
  }

  return {
    plan,
    startsInMs,
    rhythmFor,
    /** Nobody can tell when a company is checked next: it keeps no other from its time. */
    unplan: (slug: string) => void nextStartsMs.delete(slug),
    /** When a company was planned to be checked next, on the steady clock; negative infinity: never yet. */
    plannedMs: (slug: string) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY,
    /** The upstream refused a request for its rate limit. */
    limited: (host: string) => rhythms.get(host)?.limited(),
  };
}
