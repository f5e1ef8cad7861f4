import { mergeStretches, stretchAt, type Stretch } from "@/lib/domain/history";
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
  /** The quiet stretch in which data came; null: none did since it was learned. */
  broken: Stretch | null;
  /** When it was given up, since data came in two quiet stretches; null: it wasn't. */
  goneMs: number | null;
};

export const NO_WEEK: WeekState = { week: null, broken: null, goneMs: null };

/** Time without a learned week after one was given up. */
const LEARNED_AGAIN_AFTER_MS = 28 * DAY_MS;
/** A quiet stretch lasts a week at most. */
const AROUND_MS = 8 * DAY_MS;
const ALWAYS: Stretch = { fromMs: -Infinity, untilMs: Infinity };

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
 * one quiet stretch is left out of the evidence, so that it alone doesn't end the week.
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
        broken === null ? evidence.unseen : mergeStretches([...evidence.unseen, broken], ALWAYS),
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
  if (week === null) return before;
  let { broken } = before;
  for (const landedMs of landingsMs) {
    if (landedMs < week.sinceMs) continue;
    const quiet = quietAt(week, landedMs);
    if (quiet === null) continue;
    if (broken === null) broken = quiet;
    // The same one, although it has been adjusted since.
    else if (quiet.fromMs >= broken.untilMs || quiet.untilMs <= broken.fromMs)
      return { week: null, broken: null, goneMs: landedMs };
  }
  return { ...before, broken };
}

/** The quiet stretch that contains a landing; null: none does, or it is as near an edge as data may be late. */
function quietAt({ spans, timeZone, cadenceMs }: LearnedWeek, landedMs: number): Stretch | null {
  const around = { fromMs: landedMs - AROUND_MS, untilMs: landedMs + AROUND_MS };
  const stretch = stretchAt(spansWithin(spans, timeZone, around), landedMs);
  if (stretch === null) return null;
  const nearMs = Math.max(3 * MINUTE_MS, Math.min(cadenceMs / 4, 30 * MINUTE_MS));
  const isNear = landedMs - stretch.fromMs <= nearMs || stretch.untilMs - landedMs <= nearMs;
  return isNear ? null : stretch;
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
