import { partnerKey } from "@/lib/domain/partners/partner-name";
import { percentShares } from "@/lib/domain/shares";
import { addDays, dayOf } from "@/lib/domain/time/day";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import { sharedState } from "@/lib/server/shared-state";
import type { Database } from "@/lib/server/store/database";
import {
  readOnTimeSums,
  type CompanyDays,
  type OnTimeSums,
} from "@/lib/server/store/report/on-time-sums";

type Runtime = Parameters<typeof reportTimeZone>[0] & {
  database: Database;
  clock: Clock;
  log: Pick<Log, "warn">;
};

/** By `partnerKey`. */
type SumsBy = ReadonlyMap<string, OnTimeSums>;
const nothing = (): SumsBy => new Map();

/** A day that has just been rolled up is counted after at most this time. */
const KEPT_MS = 10 * MINUTE_MS;
/** Same where there was no day yet, as at a company whose record has just begun. */
const EMPTY_KEPT_MS = 10_000;

/**
 * How the checked time of the month's closed days was spent at some companies, each in the time zone of its reports.
 * Kept for minutes; while the database doesn't answer, nothing is known.
 * @param atMs the instant whose month counts, up to the day before it: epoch milliseconds
 * @returns the sums of a company, by `partnerKey`
 */
export async function onTimeMonths(
  runtime: Runtime,
  companies: readonly string[],
  atMs: number,
): Promise<(company: string) => SumsBy> {
  type Kept = { version: string; sums: SumsBy | Promise<SumsBy>; untilMs: number };
  const kept = sharedState(runtime.database, "on-time months", () => new Map<string, Kept>());
  const nowMs = runtime.clock.monotonicMs();
  const daysIn = new Map<string, ReturnType<typeof daysBefore>>();
  const wanted = companies.map((company) => {
    const timeZone = reportTimeZone(runtime, company);
    const days = daysIn.get(timeZone) ?? daysBefore(atMs, timeZone);
    daysIn.set(timeZone, days);
    return { company, ...days, version: `${days.firstDay} ${days.lastDay}` };
  });
  const missing = wanted.filter(({ company, version }) => {
    const entry = kept.get(company);
    return entry?.version !== version || entry.untilMs <= nowMs;
  });
  if (missing.length > 0) {
    const read = readAll(runtime, missing);
    for (const { company, version } of missing) {
      const sums = read.then((all) => all.get(company) ?? nothing());
      const entry: Kept = { version, sums, untilMs: nowMs + KEPT_MS };
      kept.set(company, entry);
      sums.then(
        (known) => {
          entry.sums = known;
          if (known.size === 0) entry.untilMs = nowMs + EMPTY_KEPT_MS;
          return undefined;
        },
        () => {
          if (kept.get(company) === entry) kept.delete(company);
        },
      );
    }
  }
  try {
    const sums = new Map<string, SumsBy>();
    for (const { company } of wanted) {
      const own = kept.get(company)?.sums;
      // Most are there already: waiting for each takes longer than all the rest.
      if (own !== undefined) sums.set(company, own instanceof Promise ? await own : own);
    }
    return (company) => sums.get(company) ?? nothing();
  } catch (error) {
    runtime.log.warn({ err: error }, "on-time shares of partners could not be read");
    return nothing;
  }
}

/** The days of an instant at some companies, in the time zones of their reports, ascending. @param atMs epoch milliseconds */
export function reportDaysAt(
  runtime: Pick<Runtime, "config" | "connections">,
  companies: readonly string[],
  atMs: number,
): string[] {
  const zones = new Set(companies.map((company) => reportTimeZone(runtime, company)));
  return [...new Set(Array.from(zones, (timeZone) => dayOf(atMs, timeZone)))].toSorted();
}

/** Percent of the checked time; null: none was checked. @param sums undefined: not known */
export function onTimePercent(sums: readonly (OnTimeSums | undefined)[]): number | null {
  const known = sums.filter((sum) => sum !== undefined);
  const of = (name: keyof OnTimeSums) => known.reduce((total, sum) => total + sum[name], 0);
  return percentShares([of("onTimeMs"), of("overdueMs"), of("plannedQuietMs")])?.[0] ?? null;
}

/** The days of an instant's month before its own day; on the first of a month there are none. */
export function daysBefore(atMs: number, timeZone: string): Omit<CompanyDays, "company"> {
  const today = dayOf(atMs, timeZone);
  return { firstDay: `${today.slice(0, 7)}-01`, lastDay: addDays(today, -1) };
}

async function readAll(
  { database }: Pick<Runtime, "database">,
  wanted: readonly CompanyDays[],
): Promise<Map<string, SumsBy>> {
  const sums = await readOnTimeSums(database, wanted);
  return new Map(
    Array.from(sums, ([company, partners]) => {
      const byKey = new Map<string, OnTimeSums>();
      for (const [name, sum] of partners) {
        const before = byKey.get(partnerKey(name));
        byKey.set(partnerKey(name), before === undefined ? sum : added(before, sum));
      }
      return [company, byKey] as const;
    }),
  );
}

function added(a: OnTimeSums, b: OnTimeSums): OnTimeSums {
  return {
    onTimeMs: a.onTimeMs + b.onTimeMs,
    overdueMs: a.overdueMs + b.overdueMs,
    plannedQuietMs: a.plannedQuietMs + b.plannedQuietMs,
  };
}
