import { groupBy } from "@/lib/domain/collections/group-by";
import { percentShares } from "@/lib/domain/shares";
import { mapSteps, type Steps } from "@/lib/domain/steps";
import { compareText } from "@/lib/domain/text/compare-text";
import {
  addTimes,
  countedMs,
  NO_TIME,
  worseOverdue,
  type DayTimes,
  type OverdueVerdict,
  type Times,
} from "./day-times";

/** Runs that started on a day, by outcome when the day was closed. */
export type RunsOfDay = {
  completed: number;
  failed: number;
  timedOut: number;
  rateLimited: number;
};

/** Rolled-up data of one endpoint for one day. */
export type EndpointDay = DayTimes & RunsOfDay;

/** One endpoint's month. */
export type EndpointMonth = {
  id: string;
  endpointKey: string;
  partnerName: string;
  /** One per day of the month; null: the endpoint was absent, or the day hasn't started. */
  days: readonly (EndpointDay | null)[];
};

/** Outcomes that can be a cause; the order decides between equal counts. */
const CAUSES = ["rate_limited", "timed_out", "failed"] as const;
export type OverdueCause = (typeof CAUSES)[number];

/** Report of a partner or an endpoint over a month. Shares as in `ReportView`. */
export type PartReport = {
  shares: [onTime: number, overdue: number, plannedQuiet: number, notObserved: number];
  /** Percent of the checked time; null: none was checked. */
  onTimeOfChecked: number | null;
  /** The same of overdue time. */
  overdueOfChecked: number | null;
  times: Times;
  /** `fromDay`, `lastDay`: indices of the first and last day; null: never overdue. */
  longest: {
    ms: number;
    fromDay: number | null;
    lastDay: number | null;
    cause: OverdueCause | null;
  };
  runs: RunsOfDay;
  days: (readonly [number, number, number, OverdueVerdict | null] | null)[];
};

export type MonthReport = {
  total: PartReport["shares"] | null;
  /** As in `PartReport`, for all partners together. */
  onTimeOfChecked: number | null;
  partners: (PartReport & {
    partnerName: string;
    endpoints: (PartReport & { id: string; endpointKey: string })[];
  })[];
  apart: { id: string; endpointKey: string; partnerName: string; kind: "webhook" | "paused" }[];
};

/**
 * The report of endpoints over the same days, partners and endpoints most overdue first.
 * A partner's time is the sum of all its endpoints; its longest overdue time is that of a single endpoint.
 */
export function* monthReport(endpoints: readonly EndpointMonth[]): Steps<MonthReport> {
  const sums = yield* mapSteps(endpoints, (endpoint) => ({ endpoint, part: partOf([endpoint]) }));
  const counted = sums.flatMap(({ endpoint, part }) => (part === null ? [] : { endpoint, part }));
  const byPartner = groupBy(counted, ({ endpoint }) => endpoint.partnerName);
  const reported = yield* mapSteps(byPartner, ([partnerName, own]) => {
    const part = partOf(own.map(({ endpoint }) => endpoint));
    if (part === null) return null;
    const listed = own.map(({ endpoint: { id, endpointKey }, part: its }) => ({
      id,
      endpointKey,
      ...its,
    }));
    return {
      partnerName,
      ...part,
      endpoints: listed.toSorted(
        (a, b) =>
          mostOverdueFirst(a, b) ||
          compareText(a.endpointKey, b.endpointKey) ||
          compareText(a.id, b.id),
      ),
    };
  });
  const partners = reported.filter((partner) => partner !== null);
  const times = counted.map(({ part }) => part.times).reduce(addTimes, NO_TIME);
  return {
    total: sharesOf(times),
    onTimeOfChecked: sharesOfChecked(times).onTimeOfChecked,
    partners: partners.toSorted(
      (a, b) => mostOverdueFirst(a, b) || compareText(a.partnerName, b.partnerName),
    ),
    apart: sums.flatMap(({ endpoint, part }) => {
      const kind = part === null ? kindApart(endpoint) : null;
      const { id, endpointKey, partnerName } = endpoint;
      return kind === null ? [] : { id, endpointKey, partnerName, kind };
    }),
  };
}

function mostOverdueFirst(a: PartReport, b: PartReport): number {
  return overdueShare(b) - overdueShare(a);
}

function overdueShare({ times }: PartReport): number {
  return times.overdueMs / countedMs(times);
}

/** @returns null if no time is counted */
function partOf(endpoints: readonly EndpointMonth[]): PartReport | null {
  const present = endpoints.flatMap(({ days }) => days.filter((one) => one !== null));
  const times = present.reduce<Times>(addTimes, NO_TIME);
  // If an endpoint had no schedule in any observed time, its unobserved time isn't listed either.
  const hasSchedule = times.onTimeMs + times.overdueMs + times.plannedQuietMs > 0;
  const isApart = !hasSchedule && times.webhookMs + times.pausedMs > 0;
  const shares = isApart ? null : sharesOf(times);
  if (shares === null) return null;
  const runs = { completed: 0, failed: 0, timedOut: 0, rateLimited: 0 };
  for (const one of present) {
    runs.completed += one.completed;
    runs.failed += one.failed;
    runs.timedOut += one.timedOut;
    runs.rateLimited += one.rateLimited;
  }
  return {
    shares,
    ...sharesOfChecked(times),
    times,
    longest: longestOf(endpoints),
    runs,
    days: cellsOf(endpoints),
  };
}

/** Unchecked time counts neither for nor against the partner. */
function sharesOfChecked({
  onTimeMs,
  overdueMs,
  plannedQuietMs,
}: Times): Pick<PartReport, "onTimeOfChecked" | "overdueOfChecked"> {
  const [onTime, overdue] = percentShares([onTimeMs, overdueMs, plannedQuietMs]) ?? [];
  return { onTimeOfChecked: onTime ?? null, overdueOfChecked: overdue ?? null };
}

function sharesOf(times: Times): PartReport["shares"] | null {
  const [onTime, overdue, plannedQuiet, notObserved] =
    percentShares([times.onTimeMs, times.overdueMs, times.plannedQuietMs, times.notObservedMs]) ??
    [];
  if (
    onTime === undefined ||
    overdue === undefined ||
    plannedQuiet === undefined ||
    notObserved === undefined
  )
    return null;
  return [onTime, overdue, plannedQuiet, notObserved];
}

function cellsOf(endpoints: readonly EndpointMonth[]): PartReport["days"] {
  const length = Math.max(0, ...endpoints.map(({ days }) => days.length));
  return Array.from({ length }, (_, at) => {
    let times = NO_TIME;
    let worst: OverdueVerdict | null = null;
    for (const { days } of endpoints) {
      const own = days[at] ?? null;
      if (own === null) continue;
      times = addTimes(times, own);
      worst = worseOverdue(worst, own.worst);
    }
    const shares = sharesOf(times);
    return shares === null ? null : [shares[1], shares[2], shares[3], worst];
  });
}

/** The longest overdue time of any single endpoint, also over midnight, and the days it covers. */
function longestOf(endpoints: readonly EndpointMonth[]): PartReport["longest"] {
  let longest: PartReport["longest"] = { ms: 0, fromDay: null, lastDay: null, cause: null };
  for (const { days } of endpoints) {
    let running = { ms: 0, fromDay: 0 };
    const take = (ms: number, fromDay: number, lastDay: number) => {
      if (ms > longest.ms)
        longest = { ms, fromDay, lastDay, cause: causeOf(days.slice(fromDay, lastDay + 1)) };
    };
    for (const [at, own] of days.entries()) {
      if (own === null) {
        running = { ms: 0, fromDay: at + 1 };
        continue;
      }
      const { leadMs, longestMs, tailMs } = own.overdue;
      const isAllDay = leadMs > 0 && leadMs === tailMs && leadMs === lengthOf(own);
      const fromDay = running.ms > 0 ? running.fromDay : at;
      if (leadMs > 0) take(running.ms + leadMs, fromDay, at);
      take(longestMs, at, at);
      if (isAllDay) running = { ms: running.ms + leadMs, fromDay };
      else running = { ms: tailMs, fromDay: at };
    }
  }
  return longest;
}

/** Total time for which the endpoint existed. */
function lengthOf(times: Times): number {
  return countedMs(times) + times.webhookMs + times.pausedMs;
}

function causeOf(days: readonly (RunsOfDay | null)[]): OverdueCause | null {
  const counts = { rate_limited: 0, timed_out: 0, failed: 0 };
  for (const own of days) {
    counts.rate_limited += own?.rateLimited ?? 0;
    counts.timed_out += own?.timedOut ?? 0;
    counts.failed += own?.failed ?? 0;
  }
  const most = Math.max(...Object.values(counts));
  return most === 0 ? null : (CAUSES.find((cause) => counts[cause] === most) ?? null);
}

function kindApart({ days }: EndpointMonth): "webhook" | "paused" | null {
  const last = days.findLast((one) => one !== null && one.webhookMs + one.pausedMs > 0) ?? null;
  if (last === null) return null;
  return last.webhookMs >= last.pausedMs ? "webhook" : "paused";
}

/** A month in an address: "2026-10". Its days, and those after it, have years of four digits. */
const MONTH = /^(19[7-9]\d|[2-8]\d{3})-(0[1-9]|1[0-2])$/;

/** @returns the month's days, "2026-10-01" first; null if it isn't a month */
export function daysOfMonth(month: string): string[] | null {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined || number === undefined) return null;
  const count = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate();
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, "0")}`);
}

/** @param by number of months; negative: earlier */
export function monthAfter(month: string, by: number): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Days of a month on which the one before may not be closed yet: the last day of a blind company is closed late. */
const CLOSING_DAYS = 2;

/**
 * Whether the report of the month before this one is worth opening with: it's closed, or about to be, and on record
 * from its first day.
 * @param recordedFrom first day on record; null: none
 * @param today "2026-11-02"
 */
export function isLastMonthReady({
  closed,
  recordedFrom,
  today,
}: {
  closed: boolean;
  recordedFrom: string | null;
  today: string;
}): boolean {
  if (closed) return true;
  const month = monthAfter(today.slice(0, 7), -1);
  const isOnRecord = recordedFrom !== null && recordedFrom <= `${month}-01`;
  return isOnRecord && Number(today.slice(8)) <= CLOSING_DAYS;
}
