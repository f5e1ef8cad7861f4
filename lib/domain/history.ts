import { completed, mapSteps, type Steps } from "./steps";
import { VERDICTS, type Verdict } from "./sync";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

/**
 * Recorded history and what may be drawn of it. Instants are epoch milliseconds on the API's clock.
 * One rule applies throughout: inside a gap only recorded data is drawn, and the absence of a record there means
 * nothing.
 */

/** How far back a page can show history. */
export const HISTORY_RANGES = ["1h", "24h", "7d", "30d", "90d"] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/**
 * Resolution of a range in charts: slots of runs and verdicts, groups of landings, steps of call samples. None gives a
 * chart more than about 500 points.
 */
const GRAINS: Readonly<
  Record<HistoryRange, { slotMs: number; slots: number; landingsMs: number; callsMs: number }>
> = {
  "1h": { slotMs: MINUTE_MS, slots: 60, landingsMs: MINUTE_MS, callsMs: 5 * MINUTE_MS },
  "24h": { slotMs: 15 * MINUTE_MS, slots: 96, landingsMs: 15 * MINUTE_MS, callsMs: HOUR_MS / 2 },
  "7d": { slotMs: HOUR_MS, slots: 168, landingsMs: 2 * HOUR_MS, callsMs: HOUR_MS },
  "30d": { slotMs: 3 * HOUR_MS, slots: 240, landingsMs: 6 * HOUR_MS, callsMs: 6 * HOUR_MS },
  "90d": { slotMs: 6 * HOUR_MS, slots: 360, landingsMs: DAY_MS, callsMs: DAY_MS / 2 },
};

export type HistoryAxis = {
  fromMs: number;
  /** End of the slot that contains the present. */
  untilMs: number;
  slotMs: number;
  /** Length of a group of landings. */
  landingsMs: number;
  /** Interval between two readings of the calls. */
  callsMs: number;
};

/** The axis of a range, in whole slots, with the present in the last one. */
export function historyAxis(range: HistoryRange, nowMs: number): HistoryAxis {
  const { slotMs, slots, landingsMs, callsMs } = GRAINS[range];
  const untilMs = (Math.floor(nowMs / slotMs) + 1) * slotMs;
  return { fromMs: untilMs - slots * slotMs, untilMs, slotMs, landingsMs, callsMs };
}

/**
 * @param stepMs divides a day, so that instants are on full hours, half hours and so on
 * @returns the instants at which calls are read, ascending: multiples of the step, the last one no later than now
 */
export function callInstants(
  axis: Pick<HistoryAxis, "fromMs" | "untilMs">,
  stepMs: number,
  nowMs: number,
): number[] {
  const count = Math.floor((axis.untilMs - axis.fromMs) / stepMs);
  const lastMs = Math.ceil(axis.untilMs / stepMs) * stepMs;
  return Array.from({ length: count }, (_, at) =>
    Math.min(lastMs - (count - 1 - at) * stepMs, nowMs),
  ).filter((atMs, at, all) => atMs > (all[at - 1] ?? Number.NEGATIVE_INFINITY));
}

/** A period of time, usually a gap. Epoch milliseconds. */
export type Period = { fromMs: number; untilMs: number };

/** The periods clipped to `within`, ascending, with adjoining and overlapping ones merged and empty ones dropped. */
export function mergePeriods(periods: readonly Period[], within: Period): Period[] {
  const merged: Period[] = [];
  for (const period of periods.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const fromMs = Math.max(period.fromMs, within.fromMs);
    const untilMs = Math.min(period.untilMs, within.untilMs);
    if (!(untilMs > fromMs)) continue;
    const last = merged.at(-1);
    if (last !== undefined && fromMs <= last.untilMs)
      last.untilMs = Math.max(last.untilMs, untilMs);
    else merged.push({ fromMs, untilMs });
  }
  return merged;
}

/**
 * The range that contains an instant. Its ends are excluded: the ends of a gap are snapshots, so they were observed.
 */
export function periodAt<T extends Period>(periods: readonly T[], atMs: number): T | null {
  return periods.find(({ fromMs, untilMs }) => fromMs < atMs && atMs < untilMs) ?? null;
}

/** Worst first: a slot shows the worst of its runs. */
const OUTCOME_LETTERS = {
  failed: "f",
  timed_out: "t",
  rate_limited: "r",
  other: "o",
  in_progress: "i",
  completed: "c",
} as const;
/** The letters of a strip, worst first. */
export const OUTCOMES_WORST_FIRST = Object.values(OUTCOME_LETTERS).join("");
const NOTHING_RAN = ".";
const UNSEEN = "u";

/**
 * The strip of an endpoint: one letter per slot (see `OutcomeSlots` of the contract).
 * @param runs in any order; `letter` is one of `OUTCOMES_WORST_FIRST`. Several runs of a slot may be passed as one
 * @param unobserved merged ranges in which the endpoint wasn't observed
 */
export function outcomeSlots(
  axis: Pick<HistoryAxis, "fromMs" | "untilMs" | "slotMs">,
  runs: readonly { startedMs: number; letter: string }[],
  unobserved: readonly Period[],
): string {
  const slots = emptySlots(axis, (slot) => overlaps(unobserved, slot));
  for (const { startedMs, letter } of runs) {
    const at = Math.floor((startedMs - axis.fromMs) / axis.slotMs);
    const before = slots[at];
    if (before === undefined) continue;
    const rank = OUTCOMES_WORST_FIRST.indexOf(before);
    if (rank === -1 || OUTCOMES_WORST_FIRST.indexOf(letter) < rank) slots[at] = letter;
  }
  return slots.join("");
}

/**
 * @param status as returned by the API
 * @param isLatest whether no later run of the endpoint is known: only the last can be in progress
 */
export function outcomeLetter(status: string | null, isLatest: boolean): string {
  if (status === "in_progress" && !isLatest) return OUTCOME_LETTERS.other;
  return Object.hasOwn(OUTCOME_LETTERS, status ?? "")
    ? OUTCOME_LETTERS[status as keyof typeof OUTCOME_LETTERS]
    : OUTCOME_LETTERS.other;
}

/** The verdict changes of one slot. */
export type VerdictSlot = {
  /** Time of its first change. */
  firstMs: number;
  /** Null: the slot only has the endpoint's removal. */
  worst: Verdict | null;
  /** The verdict at its end; null: removed. */
  last: Verdict | null;
};

/**
 * The worst verdict observed in each slot: a digit, the index into `VERDICTS`, or `u`.
 * @param before the verdict when the axis starts; null: unknown
 * @param changed ascending, at most one per slot
 * @param unobserved merged ranges in which the endpoint wasn't observed
 */
export function verdictSlots(
  axis: Pick<HistoryAxis, "fromMs" | "untilMs" | "slotMs">,
  before: Verdict | null,
  changed: readonly VerdictSlot[],
  unobserved: readonly Period[],
): string {
  let held = before;
  let next = 0;
  return emptySlots(axis, () => true)
    .map((unseen, at) => {
      const fromMs = axis.fromMs + at * axis.slotMs;
      const untilMs = fromMs + axis.slotMs;
      const change = changed[next];
      const changes = change !== undefined && change.firstMs < untilMs ? change : null;
      // The previous verdict counts only if it was observed within this slot.
      const seen = { fromMs, untilMs: changes?.firstMs ?? untilMs };
      const carried = held !== null && !covers(unobserved, seen) ? held : null;
      if (changes !== null) {
        next += 1;
        held = changes.last;
      }
      const worst = worseOf(carried, changes?.worst ?? null);
      return worst === null ? unseen : String(VERDICTS.indexOf(worst));
    })
    .join("");
}

/**
 * When the verdict was unknown, in whole slots: what is only measured against a cadence claims nothing then.
 * @param fromMs start of the axis
 * @param verdicts as `verdictSlots` returns them
 */
export function unknownPeriods(fromMs: number, slotMs: number, verdicts: string): Period[] {
  const unknown = String(VERDICTS.indexOf("unknown"));
  return [...verdicts.matchAll(new RegExp(`${unknown}+`, "g"))].map(({ index, 0: slots }) => ({
    fromMs: fromMs + index * slotMs,
    untilMs: fromMs + (index + slots.length) * slotMs,
  }));
}

function worseOf(a: Verdict | null, b: Verdict | null): Verdict | null {
  if (a === null || b === null) return a ?? b;
  return VERDICTS.indexOf(a) < VERDICTS.indexOf(b) ? a : b;
}

function emptySlots(
  { fromMs, untilMs, slotMs }: Pick<HistoryAxis, "fromMs" | "untilMs" | "slotMs">,
  isUnseen: (slot: Period) => boolean,
): string[] {
  return Array.from({ length: Math.round((untilMs - fromMs) / slotMs) }, (_, at) => {
    const slotFromMs = fromMs + at * slotMs;
    return isUnseen({ fromMs: slotFromMs, untilMs: slotFromMs + slotMs }) ? UNSEEN : NOTHING_RAN;
  });
}

function overlaps(periods: readonly Period[], { fromMs, untilMs }: Period): boolean {
  return periods.some((period) => period.fromMs < untilMs && period.untilMs > fromMs);
}

/** Whether one of the merged ranges covers the given one. An empty range is always covered. */
function covers(periods: readonly Period[], { fromMs, untilMs }: Period): boolean {
  if (untilMs <= fromMs) return true;
  return periods.some((period) => period.fromMs <= fromMs && period.untilMs >= untilMs);
}

/** Consecutive landings, as in the contract. */
export type LandingGroup = {
  first_ms: number;
  last_ms: number;
  count: number;
  longest_gap_ms: number;
};

/**
 * The landings to draw a sawtooth from, ascending. Groups of up to two return their exact landings. In larger groups
 * the longest gap is drawn last, after evenly spaced shorter ones: the highest age of a group is exact, its position
 * within the group isn't.
 * @param beforeMs the last landing before the groups; null: unknown
 */
export function landingsOf(beforeMs: number | null, groups: readonly LandingGroup[]): number[] {
  const landings = groups.flatMap(({ first_ms, last_ms, longest_gap_ms }) => {
    if (last_ms <= first_ms || longest_gap_ms <= 0) return [first_ms];
    const restMs = last_ms - longest_gap_ms - first_ms;
    const teeth = Math.ceil(restMs / longest_gap_ms);
    const even = Array.from({ length: teeth }, (_, at) => first_ms + (restMs * (at + 1)) / teeth);
    return [first_ms, ...even, last_ms];
  });
  return beforeMs === null ? landings : [beforeMs, ...landings];
}

/**
 * The values read for one endpoint at each instant.
 * @param values the last recorded values at or before the instants; null: none recent enough
 * @param unobserved ranges in which the endpoint wasn't observed
 */
export function observedValues(
  instantsMs: readonly number[],
  values: readonly (number | null)[],
  unobserved: readonly Period[],
): (number | null)[] {
  return instantsMs.map((atMs, at) =>
    periodAt(unobserved, atMs) === null ? (values[at] ?? null) : null,
  );
}

/**
 * Sums over endpoints at each instant, never over time.
 * @param endpoints `absent` is when an endpoint didn't exist in our record; it is left out of the sum then
 * @param gaps ranges without any observation
 * @returns null at an instant in a gap, without any endpoint, or with a missing reading
 */
export function sumsAt(
  instantsMs: readonly number[],
  endpoints: readonly Summand[],
  gaps: readonly Period[],
): (number | null)[] {
  return completed(sumSteps(instantsMs, endpoints, gaps));
}

/** The same, with a pause after each instant. */
export function* sumSteps(
  instantsMs: readonly number[],
  endpoints: readonly Summand[],
  gaps: readonly Period[],
): Steps<(number | null)[]> {
  const sumAt = (atMs: number, at: number): number | null => {
    if (periodAt(gaps, atMs) !== null) return null;
    let sum: number | null = null;
    for (const { values, absent } of endpoints) {
      if (periodAt(absent, atMs) !== null) continue;
      const value = values[at] ?? null;
      if (value === null) return null;
      sum = (sum ?? 0) + value;
    }
    return sum;
  };
  return yield* mapSteps(instantsMs.entries(), ([at, atMs]) => sumAt(atMs, at));
}

/** Readings of one endpoint, and when it wasn't there. */
type Summand = { values: readonly (number | null)[]; absent: readonly Period[] };

/** A run as it was recorded later. */
export type RecordedRun = {
  startedMs: number;
  finishedMs: number | null;
  status: string | null;
  durationSeconds: number | null;
};

/** The run as it stood at an instant not before its start: without an end if it hadn't ended by then. */
export function runAt(run: RecordedRun, atMs: number): RecordedRun {
  const hadEnded = run.finishedMs === null || run.finishedMs <= atMs;
  return hadEnded
    ? run
    : { ...run, finishedMs: null, status: "in_progress", durationSeconds: null };
}
