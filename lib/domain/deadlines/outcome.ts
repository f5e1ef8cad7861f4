import { isPausedAtSource } from "@/lib/domain/sync";
import type { Period } from "@/lib/domain/history";
import { isQuietAt, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { windowFromMs, type DeadlineDay } from "./calendar";
import type { DayOutcome, Excuse } from "./deadline";
import type { FeedFacts } from "./holding";

/** How long after the allowance the snapshot that closes a day is read, at least. */
export const SETTLING_MS = MINUTE_MS;

/** Data received, as our checks saw it. Epoch milliseconds on the API's clock. */
export type SeenLanding = {
  landedMs: number;
  /** The check that showed it first; null: not recorded. */
  seenMs: number | null;
  /** The complete check before that one; null: not recorded. */
  seenAfterMs: number | null;
};

/** A planned quiet time, with when it was entered. */
export type EnteredQuiet = PlannedQuiet & { enteredMs: number };

/** What the record says about one feed around one deadline. */
export type DayRecord = {
  /** Ascending by `landedMs`: at least the last one before the window, and all since. */
  landings: readonly SeenLanding[];
  /** Gaps of the company, in any order. */
  gaps: readonly Period[];
  /** The endpoint when the data was due; null: not recorded. */
  facts: FeedFacts | null;
  /** The same in the snapshot that closed the day. */
  closingFacts: FeedFacts | null;
  /** Planned quiet times that concern the feed. */
  quiet: readonly EnteredQuiet[];
};

/** The result of a day. Durations are milliseconds. */
export type JudgedDay = {
  outcome: DayOutcome;
  /** The first data in the window; of a missed day, the first one after its allowance; null: none seen. */
  receivedMs: number | null;
  /** Of a missed day, from the promised time to that data; null: no data yet, or not missed. */
  lateMs: number | null;
  /** Whether earlier data may lie hidden in a gap. */
  isAtMost: boolean;
  excuse: Excuse | null;
};

/** The first instant at which a complete snapshot closes a day. */
export function closesFromMs({ limitMs }: Pick<DeadlineDay, "limitMs">): number {
  return limitMs + SETTLING_MS;
}

/** When the snapshot that closed a day was read, at the earliest: while blind none was. @param gaps in any order */
export function closedMs(day: DeadlineDay, gaps: readonly Period[]): number {
  return Math.max(closesFromMs(day), ...gapsAtClosing(day, gaps).map(({ untilMs }) => untilMs));
}

/**
 * Judges a day whose closing snapshot was read. Only landings that this snapshot had seen decide; later ones only say by
 * how much the day was missed.
 */
export function judgeDay(day: DeadlineDay, record: DayRecord): JudgedDay {
  const { landings, gaps, facts, closingFacts } = record;
  const fromMs = windowFromMs(day, facts);
  const decisive = landings.filter((landing) => wasSeenAtClosing(landing, day));
  const kept = decisive.find(({ landedMs }) => fromMs <= landedMs && landedMs <= day.limitMs);
  if (kept !== undefined) return judged("met", kept.landedMs);
  const excuse = excuseOf(day, record);
  if (excuse !== null) return { ...judged("excused", null), excuse };
  const last = decisive.at(-1);
  // Nothing was received, or the day is from before the record.
  if (last === undefined) return judged("not_observed", null);
  // Data in time may lie hidden under later data, or have left the list with its feed.
  const mayBeHidden = last.landedMs > day.limitMs || closingFacts?.reported === false;
  if (mayBeHidden && gapsAtClosing(day, gaps).length > 0) return judged("not_observed", null);
  const first = landings.find(({ landedMs }) => landedMs > day.limitMs);
  if (first === undefined) return judged("missed", null);
  return { ...judged("missed", first.landedMs), ...latenessOf(day, first, gaps) };
}

/** How late the first data after a missed deadline's allowance was. @param gaps of the company, in any order */
export function latenessOf(
  { dueMs, limitMs }: Pick<DeadlineDay, "dueMs" | "limitMs">,
  landing: SeenLanding,
  gaps: readonly Period[],
): { lateMs: number; isAtMost: boolean } {
  return { lateMs: landing.landedMs - dueMs, isAtMost: mayHide(landing, limitMs, gaps) };
}

/** No complete snapshot lies between the closing one and the one that showed the landing first. */
function wasSeenAtClosing({ landedMs, seenMs, seenAfterMs }: SeenLanding, day: DeadlineDay) {
  const closesMs = closesFromMs(day);
  if (seenMs !== null && seenMs <= closesMs) return true;
  if (seenAfterMs !== null) return seenAfterMs < closesMs;
  return (seenMs ?? landedMs) <= closesMs;
}

/** Gaps that overlap the time from the end of the allowance to the closing check. */
function gapsAtClosing(day: DeadlineDay, gaps: readonly Period[]): readonly Period[] {
  return gaps.filter(({ fromMs, untilMs }) => fromMs < closesFromMs(day) && untilMs > day.limitMs);
}

/** Whether earlier data may have been replaced by this landing before a check saw it. */
function mayHide(
  { landedMs, seenMs, seenAfterMs }: SeenLanding,
  limitMs: number,
  gaps: readonly Period[],
): boolean {
  const hiddenFromMs = Math.max(limitMs, seenAfterMs ?? limitMs);
  return gaps.some(
    ({ fromMs, untilMs }) =>
      fromMs < Math.max(seenMs ?? landedMs, landedMs) && untilMs > hiddenFromMs,
  );
}

function excuseOf({ dueMs }: DeadlineDay, { facts, quiet }: DayRecord): Excuse | null {
  if (quiet.some((one) => one.enteredMs < dueMs && isQuietAt(one, dueMs))) return "planned_quiet";
  if (facts === null) return null;
  if (isPausedAtSource(facts)) return "paused";
  return facts.reported ? null : "not_reported";
}

function judged(outcome: DayOutcome, receivedMs: number | null): JudgedDay {
  return { outcome, receivedMs, lateMs: null, isAtMost: false, excuse: null };
}
