import { HOUR_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { TOLERATED_MS } from "@/lib/server/store/history/doubtful-clock";
import { readDatabaseClock } from "@/lib/server/store/sync/retention";

/** An older API response says nothing about its clock now. */
const RECEIVED_WITHIN_MS = HOUR_MS;

/** A company and what its API's last response said of the time; see `WatchedCompany`. */
export type ClockSource = {
  readonly host: string;
  apiClock: { aheadMs: number; receivedMs: number } | null;
};

/**
 * Reads our clock, PostgreSQL's, and those of the APIs that responded within the hour. Irreversible work that
 * depends on the date waits until they agree, since any one of them may be wrong by months: ours and PostgreSQL's,
 * which may be of one machine, need at least half of the APIs' hosts. The other hosts are wrong themselves, and
 * don't stop the work for everybody.
 * @returns `agreedMs` is the earliest clock of those that agree, epoch milliseconds, null while too few do; null
 * without a recent API response. `facts.api` is the clock of a host that disagrees, if there is one.
 */
export async function readClocks({
  database,
  clock,
  companies,
}: {
  database: Database;
  clock: Clock;
  companies: readonly ClockSource[];
}): Promise<{
  agreedMs: number | null;
  facts: { ours: number; database: number; api: number };
} | null> {
  const ofHosts = clocksOfHosts(companies, clock.monotonicMs());
  const [first] = ofHosts;
  if (first === undefined) return null;
  const [ours, ofDatabase] = [clock.nowMs(), await readDatabaseClock(database)];
  const isAgreed = (apiMs: number) =>
    Math.max(ours, ofDatabase, apiMs) - Math.min(ours, ofDatabase, apiMs) <= TOLERATED_MS;
  const agreed = ofHosts.filter(isAgreed);
  const isEnough = agreed.length > 0 && agreed.length >= ofHosts.length / 2;
  return {
    agreedMs: isEnough ? Math.min(ours, ofDatabase, ...agreed) : null,
    facts: {
      ours,
      database: ofDatabase,
      api: ofHosts.find((apiMs) => !isAgreed(apiMs)) ?? first,
    },
  };
}

/**
 * Now by the clock that dates a company's record, if that is behind the others: it may be one that disagrees.
 * @param agreedMs see `readClocks`
 * @param state as last recorded; null: nothing was
 */
export function ownTime(agreedMs: number, state: { apiClockOffsetMs: number } | null): number {
  return agreedMs + Math.min(0, state?.apiClockOffsetMs ?? 0);
}

/** The clocks of hosts that responded within the hour, each by its latest response, epoch milliseconds. */
function clocksOfHosts(companies: readonly ClockSource[], steadyMs: number): number[] {
  const latest = new Map<string, { aheadMs: number; receivedMs: number }>();
  for (const { host, apiClock } of companies) {
    if (apiClock === null || steadyMs - apiClock.receivedMs > RECEIVED_WITHIN_MS) continue;
    const known = latest.get(host);
    if (known === undefined || known.receivedMs < apiClock.receivedMs) latest.set(host, apiClock);
  }
  return Array.from(latest.values(), ({ aheadMs }) => aheadMs + steadyMs);
}
