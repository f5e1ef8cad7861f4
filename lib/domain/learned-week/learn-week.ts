import { mergePeriods, type Period } from "@/lib/domain/history";
import { dayOf, localTimeOf } from "@/lib/domain/time/day";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { wallClock } from "@/lib/domain/time/wall-time";
import {
  coveredMs,
  DAY_MINUTES,
  overlapping,
  WEEK_MINUTES,
  weekdayOf,
  type WeekSpan,
} from "./week-span";

/** What a week is learned from. Instants are epoch milliseconds on the API's clock. */
export type WeekEvidence = {
  /**
   * The times between two consecutive landings, where longer than two cadences, and the one since the last landing,
   * ascending. A shorter one says nothing.
   */
  silences: readonly Period[];
  /** Of each of the local days that the week is learned from, in their order. */
  syncs: readonly Syncs[];
  /**
   * When the feed wasn't observed, not expected to receive data, or failing: gaps, pauses, absences, faults. Merged,
   * ascending.
   */
  unseen: readonly Period[];
  /** Starts of runs that failed, timed out or were rate limited, ascending: a silence with one is a fault, not a rest. */
  failedMs: readonly number[];
  /** Start of the feed's record at this cadence: what is before it says nothing. */
  recordFromMs: number;
  /** End of the record. */
  untilMs: number;
  cadenceMs: number;
};

/**
 * The syncs of the landings of one day, as time: of each landing, what of the cadence after it passed until the next
 * one, and what of the cadence and the sync due then. So landings in quick succession count as one sync, and a silence
 * as one that was missed, however long it is.
 */
export type Syncs = { landedMs: number; dueMs: number };

const NO_SYNCS: Syncs = { landedMs: 0, dueMs: 0 };
/** Days that must agree for a period of that weekday to be quiet. */
const DAYS_AGREEING = 4;
/** A day counts if this much of it was seen. */
const DAY_SEEN_MS = 23 * HOUR_MS;
/** How far back days are looked for. */
const LEARNED_FROM_DAYS = 56;
/** How far back the record is evidence: days have up to 25 h. */
export const EVIDENCE_MS = (LEARNED_FROM_DAYS + 3) * DAY_MS;
/** Syncs that must have been due in a period, over all the days that agree. */
const SYNCS_DUE = 8;
/** Nothing is learned at a shorter cadence: that of a feed that is always on, of which any silence is news. */
export const MIN_CADENCE_MS = 15 * MINUTE_MS;
/** More spans, four a day, aren't a habit of the week. */
const MAX_SPANS = 30;
/** Nor are more silences than ten a day in all of the record. */
export const MAX_SILENCES = 600;
/** From this cadence on only whole weekdays are learned: a daily feed isn't quiet beside its hour. */
const WHOLE_DAYS_FROM_MS = 12 * HOUR_MS;
/** A longer silence isn't a habit of the week: the feed had stopped, and its days say nothing. */
const LONGEST_REST_MS = 5 * DAY_MS;

/** A local day that is over. */
export type LocalDay = Period & {
  /** Monday being 0. */
  weekday: number;
  timeZone: string;
};

type ObservedDay = LocalDay & Syncs;

/** A range of minutes of one local day. */
type Minutes = { from: number; until: number };

/**
 * The parts of the week in which a feed has no data as a habit: none in the last four such days that were observed,
 * though at least eight syncs were due. Each begins when a sync would have been due, a cadence after the last data
 * before it, so that the first data after it is due at its usual time.
 * @param days of the company's zone, latest first; see `recentDays`
 * @returns ascending, without overlaps; empty: the feed has no quiet part, or it isn't certain
 */
export function learnWeek(given: WeekEvidence, days: readonly LocalDay[]): WeekSpan[] {
  const { cadenceMs, untilMs: nowMs, recordFromMs } = given;
  const isLong = ({ fromMs, untilMs }: Period) => untilMs - fromMs > 2 * cadenceMs;
  const recorded = overlapping(given.silences, { fromMs: recordFromMs, untilMs: nowMs }).map(
    ({ fromMs, untilMs }) => ({ fromMs: Math.max(fromMs, recordFromMs), untilMs }),
  );
  if (!(cadenceMs >= MIN_CADENCE_MS) || !recorded.some(isLong)) return [];
  const evidence = withoutFaults({ ...given, silences: recorded });
  const observed = observedDays(evidence, days);
  if (missesOften(observed)) return [];
  const isWhole = cadenceMs >= WHOLE_DAYS_FROM_MS;
  // One that lasts may still become long.
  const lasting = evidence.silences.filter((one) => isLong(one) || one.untilMs === nowMs);
  const silences = certainOf(lasting, evidence.unseen).map(({ fromMs, untilMs }) => ({
    // Data at midnight belongs to the day that begins then.
    fromMs: isWhole ? fromMs + 1 : fromMs + cadenceMs,
    untilMs,
  }));
  const quiet = observed.map((ofWeekday) =>
    ofWeekday.length < DAYS_AGREEING
      ? []
      : ofWeekday
          .map((day) => quietOf(day, silences))
          .reduce(common)
          .filter(({ from, until }) => !isWhole || until - from === DAY_MINUTES),
  );
  const spans = joined(quiet).filter(
    ({ from, until }) => DAYS_AGREEING * (until - from) * MINUTE_MS >= SYNCS_DUE * cadenceMs,
  );
  if (spans.length > MAX_SPANS) return [];
  return spans
    .map((span) => (isWhole ? span : fromMidnight(span, cadenceMs / MINUTE_MS)))
    .toSorted((a, b) => a.from - b.from);
}

/**
 * The latest local days, latest first, as far back as a week is learned from. The current one isn't over.
 * @param timeZone IANA name
 * @param nowMs epoch milliseconds
 */
export function recentDays(timeZone: string, nowMs: number): LocalDay[] {
  const todayMs = Date.parse(`${dayOf(nowMs, timeZone)}T00:00:00Z`);
  const toInstant = wallClock(timeZone, {
    fromMs: todayMs - EVIDENCE_MS,
    untilMs: todayMs + 3 * DAY_MS,
  });
  return Array.from({ length: LEARNED_FROM_DAYS }, (_, ago) => {
    const dateMs = todayMs - (ago + 1) * DAY_MS;
    return {
      fromMs: toInstant(dateMs),
      untilMs: toInstant(dateMs + DAY_MS),
      weekday: weekdayOf(iso(dateMs).slice(0, 10)),
      timeZone,
    };
  });
}

/** Silences with a fault count as unseen. */
function withoutFaults(evidence: WeekEvidence): WeekEvidence {
  const { silences, failedMs } = evidence;
  let next = 0;
  const faults = silences.filter(({ fromMs, untilMs }) => {
    while ((failedMs[next] ?? Infinity) < fromMs) next += 1;
    return (failedMs[next] ?? Infinity) <= untilMs;
  });
  if (faults.length === 0) return evidence;
  const all = { fromMs: -Infinity, untilMs: Infinity };
  return { ...evidence, unseen: mergePeriods([...evidence.unseen, ...faults], all) };
}

/** The latest observed days of each weekday, Monday first, at most four each. */
function observedDays(
  { silences, syncs, unseen, recordFromMs }: WeekEvidence,
  recent: readonly LocalDay[],
): ObservedDay[][] {
  const days: ObservedDay[][] = Array.from({ length: 7 }, () => []);
  const stopped = silences.filter(({ fromMs, untilMs }) => untilMs - fromMs > LONGEST_REST_MS);
  for (const [at, day] of recent.entries()) {
    const ofWeekday = days[day.weekday];
    if (ofWeekday === undefined || ofWeekday.length === DAYS_AGREEING) continue;
    const seen = { fromMs: Math.max(day.fromMs, recordFromMs), untilMs: day.untilMs };
    const seenMs = seen.untilMs - seen.fromMs - coveredMs(unseen, seen);
    if (seenMs >= DAY_SEEN_MS && coveredMs(stopped, day) === 0)
      ofWeekday.push({ ...day, ...(syncs[at] ?? NO_SYNCS) });
  }
  return days;
}

/**
 * Whether a feed missed a third of its syncs or more, on all of the days or on the later half of them: it is overdue,
 * not quiet. The later half alone would show that it began to miss them after days on which it didn't.
 */
function missesOften(days: readonly (readonly ObservedDay[])[]): boolean {
  return [DAYS_AGREEING, DAYS_AGREEING / 2].some((latest) => {
    const counted = days.flatMap((ofWeekday) => ofWeekday.slice(0, latest));
    const landedMs = counted.reduce((sum, day) => sum + day.landedMs, 0);
    const dueMs = counted.reduce((sum, day) => sum + day.dueMs, 0);
    return 3 * landedMs <= 2 * dueMs;
  });
}

/** The parts of silences that surely had no data: landings before the last one of an unseen period remain unknown. */
function certainOf(silences: readonly Period[], unseen: readonly Period[]): Period[] {
  let next = 0;
  return silences.map(({ fromMs, untilMs }) => {
    while ((unseen[next]?.untilMs ?? Infinity) < untilMs) next += 1;
    return { fromMs, untilMs: Math.min(untilMs, unseen[next]?.fromMs ?? Infinity) };
  });
}

/** The quiet minutes of one day, ascending. They begin and end within the silences, to the minute. */
function quietOf(day: LocalDay, silences: readonly Period[]): Minutes[] {
  return overlapping(silences, day).flatMap((silence) => {
    const from = minuteAt(Math.ceil(silence.fromMs / MINUTE_MS) * MINUTE_MS, day);
    const until = minuteAt(silence.untilMs, day);
    return until > from ? [{ from, until }] : [];
  });
}

function minuteAt(ms: number, { fromMs, untilMs, timeZone }: LocalDay): number {
  if (ms <= fromMs) return 0;
  if (ms >= untilMs) return DAY_MINUTES;
  if (untilMs - fromMs === DAY_MS) return Math.floor((ms - fromMs) / MINUTE_MS);
  const local = localTimeOf(ms, timeZone);
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16));
}

/** What is in both of two lists, each ascending and without overlaps. */
function common(a: readonly Minutes[], b: readonly Minutes[]): Minutes[] {
  const both: Minutes[] = [];
  let place = 0;
  for (const one of a) {
    while ((b[place]?.until ?? Infinity) <= one.from) place += 1;
    for (let at = place; (b[at]?.from ?? Infinity) < one.until; at += 1) {
      const { from = 0, until = 0 } = b[at] ?? {};
      both.push({ from: Math.max(one.from, from), until: Math.min(one.until, until) });
    }
  }
  return both;
}

/** The quiet minutes of the seven days as spans of the week, those that meet at a midnight joined. */
function joined(quiet: readonly (readonly Minutes[])[]): WeekSpan[] {
  const spans: WeekSpan[] = [];
  for (const [weekday, minutes] of quiet.entries()) {
    for (const { from, until } of minutes) {
      const start = weekday * DAY_MINUTES;
      const last = spans.at(-1);
      if (last?.until === start + from) last.until = start + until;
      else spans.push({ from: start + from, until: start + until });
    }
  }
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined || first === last) return spans;
  if (first.from !== 0 || last.until !== WEEK_MINUTES) return spans;
  return [...spans.slice(1, -1), { from: last.from, until: WEEK_MINUTES + first.until }];
}

/**
 * A span that begins less than a cadence after midnight, moved to begin at midnight: it ends as much earlier, so that
 * the first data after it is still due at its usual time. An end at midnight is that of a day, not of the silence, and
 * stays.
 */
function fromMidnight({ from, until }: WeekSpan, cadence: number): WeekSpan {
  const past = from % DAY_MINUTES;
  if (past === 0 || past >= cadence) return { from, until };
  return { from: from - past, until: until % DAY_MINUTES === 0 ? until : until - past };
}
