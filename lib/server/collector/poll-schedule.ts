import type { Clock } from "@/lib/server/clock";
import {
  createSteadyRhythm,
  distanceMs,
  rhythmOf,
  spreadOut,
  type Rhythm,
  type SteadyRhythm,
} from "./rhythm";
import { restsBecause } from "@/lib/server/upstream/upstream";
import type { WatchedCompany } from "./watched-company";

/** Schedule of the next checks of a process's companies. */
export type PollSchedule = ReturnType<typeof createPollSchedule>;

/** Keeps the check intervals of all companies, also across loss and recovery of leadership. */
export function createPollSchedule({
  clock,
  pollSeconds,
  pollsPerWindow,
}: {
  clock: Clock;
  pollSeconds: number;
  pollsPerWindow: number;
}) {
  /** By company, on the monotonic clock. */
  const nextStartsMs = new Map<string, number>();
  /** By host. */
  const rhythms = new Map<string, SteadyRhythm>();

  /** Schedules a company's next check; `earliestMs` on the monotonic clock. */
  function plan(company: WatchedCompany, all: readonly WatchedCompany[], earliestMs: number): void {
    const othersMs = sharingWith(company, all)
      .filter((other) => other !== company)
      .map(({ slug }) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY);
    const fromMs = Math.max(earliestMs, clock.monotonicMs());
    nextStartsMs.set(company.slug, spreadOut(fromMs, othersMs, rhythmFor(company, all)));
  }

  /**
   * How long after the end of its host's limit a company's turn comes, milliseconds. Those whose answers didn't stop the
   * host go first, then those whose answer did so the longest ago. Otherwise one that is limited at each request would
   * keep all of them from being read.
   */
  function turnMs(company: WatchedCompany, all: readonly WatchedCompany[]): number {
    const { limitedMs } = company;
    const sharing = sharingWith(company, all);
    if (limitedMs === null || sharing.length === 1) return 0;
    const rhythm = rhythmFor(company, all);
    const limited = sharing.flatMap((other) => other.limitedMs ?? []);
    const others = limited.length < sharing.length ? rhythm.checkMs : 0;
    const earlier = limited.filter((ms) => ms < limitedMs).length;
    return others + earlier * distanceMs(sharing.length, rhythm);
  }

  /** Milliseconds until the next scheduled check; never negative. */
  function startsInMs(company: WatchedCompany): number {
    return Math.max(0, (nextStartsMs.get(company.slug) ?? 0) - clock.monotonicMs());
  }

  /** All companies of a host share its budget, so the interval depends on all their pages together. */
  function rhythmFor(company: WatchedCompany, all: readonly WatchedCompany[]): Rhythm {
    const pages = sharingWith(company, all).map(({ state }) => state.totalPages);
    const shared = rests(company) ? company.slug : company.host;
    const steady = rhythms.get(shared) ?? createSteadyRhythm(pollSeconds);
    rhythms.set(shared, steady);
    return steady.keep(rhythmOf({ pages, pollSeconds, pollsPerWindow }), clock.monotonicMs());
  }

  return {
    plan,
    turnMs,
    startsInMs,
    rhythmFor,
    /** Forgets an uncertain schedule, so that it doesn't displace other checks. */
    unplan: (slug: string) => void nextStartsMs.delete(slug),
    /** When a company's next check is scheduled, on the monotonic clock; negative infinity: never. */
    plannedMs: (slug: string) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY,
    /** Records that the upstream returned a rate limit. */
    limited: (host: string) => rhythms.get(host)?.limited(),
  };
}

const rests = ({ upstream }: WatchedCompany) => restsBecause(upstream.connection) !== null;

/** The companies whose requests count against the same budget, itself included; one that rests sends none. */
function sharingWith(
  company: WatchedCompany,
  all: readonly WatchedCompany[],
): readonly WatchedCompany[] {
  if (rests(company)) return [company];
  return all.filter((other) => other.host === company.host && !rests(other));
}
