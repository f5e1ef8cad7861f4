import { mergePeriods, type Period } from "@/lib/domain/history";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { learnWeek, type LocalDay, type WeekEvidence } from "./learn-week";
import { spansWithin, type WeekSpan } from "./week-span";

/** The quiet part of a feed's week while it is in force. */
export type LearnedWeek = {
  /** IANA name of the zone in which it was learned. */
  timeZone: string;
  /** Ascending, without overlaps, never empty. */
  spans: readonly WeekSpan[];
  /** The feed's cadence when it was learned first. */
  cadenceMs: number;
  /** When it was learned first, epoch milliseconds on the API's clock; later ones adjust it. */
  sinceMs: number;
};

/** What is remembered of a feed between two looks. Instants are epoch milliseconds on the API's clock. */
export type WeekState = {
  /** Null: none is in force. */
  week: LearnedWeek | null;
  /** The quiet period in which data came; null: none did since it was learned. */
  broken: Period | null;
  /** When it was given up, since data came in two quiet periods; null: it wasn't. */
  goneMs: number | null;
};

export const NO_WEEK: WeekState = { week: null, broken: null, goneMs: null };

/** Without a look for this long, nothing shows that a feed still rests. */
export const LOOK_LASTS_MS = 9 * DAY_MS;
/** Time without a learned week after one was given up. */
const LEARNED_AGAIN_AFTER_MS = 28 * DAY_MS;
/** A quiet period lasts a week at most. */
const AROUND_MS = 8 * DAY_MS;
const ALWAYS: Period = { fromMs: -Infinity, untilMs: Infinity };

/**
 * Whether the last look at the record shows that feeds still rest: it is recent, and not dated by a clock that was ahead.
 * @param lookedUntilMs end of the record that was looked at, epoch milliseconds on the API's clock; null: none was yet
 */
export function isLookCurrent(lookedUntilMs: number | null, apiNowMs: number): boolean {
  return (
    lookedUntilMs !== null &&
    apiNowMs < lookedUntilMs + LOOK_LASTS_MS &&
    apiNowMs > lookedUntilMs - DAY_MS
  );
}

/**
 * Whether a week may be applied to a feed of this cadence. A cadence learned from intervals varies by a little.
 * @param cadenceMs null: unknown
 */
export function isForCadence(
  week: Pick<LearnedWeek, "cadenceMs">,
  cadenceMs: number | null,
): boolean {
  return cadenceMs !== null && Math.abs(cadenceMs - week.cadenceMs) <= week.cadenceMs / 10;
}

/**
 * The state of a feed's learned week after a look at its record. Each look learns all of the week again; data in
 * one quiet period is left out of the evidence, so that it alone doesn't end the week.
 * @param look.landingsMs since the previous look, ascending, epoch milliseconds
 * @param look.days see `recentDays`; of the zone `look.timeZone`: a week of another zone ends
 * @param look.nowMs epoch milliseconds
 */
export function followWeek(
  before: WeekState,
  look: {
    landingsMs: readonly number[];
    evidence: WeekEvidence;
    days: readonly LocalDay[];
    timeZone: string;
    nowMs: number;
  },
): WeekState {
  const { evidence, timeZone, nowMs } = look;
  const { cadenceMs } = evidence;
  const isSame = before.week?.timeZone === timeZone && isForCadence(before.week, cadenceMs);
  const state = isSame
    ? afterLandings(before, look.landingsMs)
    : { week: null, broken: null, goneMs: before.goneMs };
  const { week: held, broken, goneMs } = state;
  if (goneMs !== null && nowMs < goneMs + LEARNED_AGAIN_AFTER_MS) return state;
  const learned = learnWeek(
    {
      ...evidence,
      unseen:
        broken === null ? evidence.unseen : mergePeriods([...evidence.unseen, broken], ALWAYS),
      recordFromMs: Math.max(evidence.recordFromMs, goneMs ?? -Infinity),
    },
    look.days,
  );
  if (learned.length === 0) return { ...NO_WEEK, goneMs };
  if (held === null)
    return { week: { timeZone, spans: learned, cadenceMs, sinceMs: nowMs }, broken, goneMs: null };
  const spans = isStill(held, learned) ? held.spans : learned;
  return { week: { ...held, spans }, broken, goneMs: null };
}

function afterLandings(before: WeekState, landingsMs: readonly number[]): WeekState {
  const { week } = before;
  const since = week === null ? [] : landingsMs.filter((ms) => ms >= week.sinceMs);
  const [firstMs, lastMs] = [since[0], since.at(-1)];
  if (week === null || firstMs === undefined || lastMs === undefined) return before;
  const around = { fromMs: firstMs - AROUND_MS, untilMs: lastMs + AROUND_MS };
  const rests = spansWithin(week.spans, week.timeZone, around);
  const nearMs = Math.max(3 * MINUTE_MS, Math.min(week.cadenceMs / 4, 30 * MINUTE_MS));
  let { broken } = before;
  let next = 0;
  for (const landedMs of since) {
    while ((rests[next]?.untilMs ?? Infinity) <= landedMs) next += 1;
    const rest = rests[next];
    if (rest === undefined || !isWellWithin(rest, landedMs, nearMs)) continue;
    if (broken === null) broken = rest;
    // The same one, although it has been adjusted since.
    else if (rest.fromMs >= broken.untilMs || rest.untilMs <= broken.fromMs)
      return { week: null, broken: null, goneMs: landedMs };
  }
  return { ...before, broken };
}

/** Whether data came in a rest, and not as near to an edge of it as data may be late. */
function isWellWithin({ fromMs, untilMs }: Period, landedMs: number, nearMs: number): boolean {
  return landedMs - fromMs > nearMs && untilMs - landedMs > nearMs;
}

/** Whether what was learned confirms all spans and adds next to nothing: the minutes differ from day to day. */
function isStill({ spans, cadenceMs }: LearnedWeek, learned: readonly WeekSpan[]): boolean {
  const slack = cadenceMs / 8 / MINUTE_MS;
  return (
    spans.length === learned.length &&
    spans.every(({ from, until }, at) => {
      const { from: first = NaN, until: last = NaN } = learned[at] ?? {};
      return first <= from && from - first <= slack && until <= last && last - until <= slack;
    })
  );
}
