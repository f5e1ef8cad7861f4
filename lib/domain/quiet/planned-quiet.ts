import { mergePeriods, type Period } from "@/lib/domain/history";
import { addDays, dayOf, minutesOf } from "@/lib/domain/time/day";
import { weekdayOf, type Weekday } from "@/lib/domain/time/weekdays";
import { wallTimeMs } from "@/lib/domain/time/wall-time";
import { DAY_MS } from "@/lib/domain/time/units";

/** Maximum length of a reason, in characters. */
export const LONGEST_REASON = 200;

/** The same wall-clock hours on days of every week. */
export type Weekly = {
  /** Days on which it starts. */
  days: readonly Weekday[];
  /** "22:00" */
  from: string;
  /** "06:00" is on the next day if it isn't after `from`; "24:00" is the end of the day. */
  until: string;
  /** IANA name. */
  timeZone: string;
};

/** When no data is expected, and from what. Instants are epoch milliseconds on the API's clock. */
export type PlannedQuiet = {
  /** Null: every partner. */
  partner: string | null;
  /** Null: every endpoint of the partner. */
  endpointId: string | null;
  fromMs: number;
  /** Null: every week until it is ended. */
  untilMs: number | null;
  /** Null: once, from start to end. */
  weekly: Weekly | null;
  /** When it was ended early; null: it wasn't. */
  endedMs: number | null;
};

/** The same hours of every week, for all endpoints, without start or end. */
export function everyWeek(weekly: Weekly): PlannedQuiet {
  return {
    partner: null,
    endpointId: null,
    fromMs: -Infinity,
    untilMs: null,
    weekly,
    endedMs: null,
  };
}

/** All weeks have the same days, so a quiet time that lasts longer than one never ends. */
const WEEK_AND_MORE_MS = 9 * DAY_MS;

/**
 * The quiet times within a range, ascending, with adjoining ones merged. For a wall-clock time that the clocks repeat
 * the first one counts; for one that they skip, the instant of the jump.
 */
export function quietWithin(planned: PlannedQuiet, within: Period): Period[] {
  const fromMs = Math.max(planned.fromMs, within.fromMs);
  const untilMs = Math.min(lastMs(planned), within.untilMs);
  if (!(untilMs > fromMs)) return [];
  const { weekly } = planned;
  const bounds = { fromMs, untilMs };
  return weekly === null ? [bounds] : mergePeriods(weeklyWithin(weekly, bounds), bounds);
}

/**
 * The quiet times that overlap a range, ascending, not cut off at its ends. A weekly one without a pause, which may have
 * no end, is divided into its days.
 */
export function wholeQuietWithin(planned: PlannedQuiet, within: Period): Period[] {
  const { weekly } = planned;
  const marginMs = weekly === null ? Infinity : WEEK_AND_MORE_MS;
  const wider = { fromMs: within.fromMs - marginMs, untilMs: within.untilMs + marginMs };
  return quietWithin(planned, wider)
    .flatMap((quiet) =>
      weekly === null || quiet.untilMs - quiet.fromMs < WEEK_AND_MORE_MS
        ? [quiet]
        : weeklyWithin(weekly, quiet).flatMap((day) => mergePeriods([day], quiet)),
    )
    .filter(({ fromMs, untilMs }) => untilMs > within.fromMs && fromMs < within.untilMs);
}

/** Whether it is quiet at an instant: the start counts, the end doesn't. */
export function isQuietAt(planned: PlannedQuiet, atMs: number): boolean {
  return quietWithin(planned, { fromMs: atMs, untilMs: atMs + 1 }).length > 0;
}

/**
 * The quiet time around an instant, or else the next one.
 * @returns null: there is none left. `untilMs` null: it lasts until it is ended
 */
export function quietFrom(
  planned: PlannedQuiet,
  atMs: number,
): { fromMs: number; untilMs: number | null } | null {
  const fromMs = Math.max(atMs, planned.fromMs);
  const overMs = lastMs(planned);
  if (planned.weekly === null) return overMs > fromMs ? { fromMs, untilMs: overMs } : null;
  // If the clocks skip its hours, it is a week later.
  const first = firstWithin(planned, fromMs) ?? firstWithin(planned, fromMs + WEEK_AND_MORE_MS);
  if (first === undefined) return null;
  const { untilMs } = firstWithin(planned, first.fromMs) ?? first;
  if (untilMs < first.fromMs + WEEK_AND_MORE_MS) return { fromMs: first.fromMs, untilMs };
  return { fromMs: first.fromMs, untilMs: overMs === Infinity ? null : overMs };
}

/** When the quiet time around an instant started, epoch milliseconds. @param atMs when it is quiet */
export function quietSinceMs(planned: PlannedQuiet, atMs: number): number {
  const earliestMs = atMs - WEEK_AND_MORE_MS;
  const sinceMs = quietWithin(planned, { fromMs: earliestMs, untilMs: atMs + 1 }).at(-1)?.fromMs;
  if (sinceMs === undefined) return atMs;
  return sinceMs > earliestMs ? sinceMs : planned.fromMs;
}

/** When the first of some quiet times starts or ends after an instant, epoch milliseconds; Infinity: none does. */
export function quietUntilMs(planned: readonly PlannedQuiet[], atMs: number): number {
  const turns = planned.flatMap((one) => {
    const next = quietFrom(one, atMs);
    if (next === null) return [];
    return next.fromMs > atMs ? next.fromMs : (next.untilMs ?? []);
  });
  return Math.min(...turns, Infinity);
}

function firstWithin(planned: PlannedQuiet, fromMs: number): Period | undefined {
  return quietWithin(planned, { fromMs, untilMs: fromMs + WEEK_AND_MORE_MS })[0];
}

function lastMs({ untilMs, endedMs }: PlannedQuiet): number {
  return Math.min(untilMs ?? Infinity, endedMs ?? Infinity);
}

function weeklyWithin({ days, from, until, timeZone }: Weekly, within: Period): Period[] {
  const [begin, end] = [minutesOf(from), minutesOf(until)];
  if (begin === null || end === null) return [];
  return daysWithin(days, timeZone, within).map((day) => ({
    fromMs: wallTimeMs(day, begin, timeZone),
    untilMs: wallTimeMs(end > begin ? day : addDays(day, 1), end, timeZone),
  }));
}

/**
 * Dates whose hours may overlap a range, ascending: "2026-11-19". Includes the date before it, whose hours may last
 * into it.
 */
export function daysWithin(days: readonly Weekday[], timeZone: string, within: Period): string[] {
  const found: string[] = [];
  const last = dayOf(within.untilMs, timeZone);
  let day = addDays(dayOf(within.fromMs, timeZone), -1);
  for (; day <= last; day = addDays(day, 1)) if (days.includes(weekdayOf(day))) found.push(day);
  return found;
}
