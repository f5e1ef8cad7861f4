import type { HistoryRange } from "@/lib/domain/history";
import { count, counted } from "@/lib/domain/words/format";

export const RANGE_LABEL = "Range";

/** "past 24 hours" */
export const PAST: Readonly<Record<HistoryRange, string>> = {
  "1h": "past hour",
  "24h": "past 24 hours",
  "7d": "past 7 days",
  "30d": "past 30 days",
  "90d": "past 90 days",
};

/** Needed to interpret every figure of calls; in the heading of each chart. */
export const ROLLING_WINDOW = "Rolling 24 h";

/** The right end of a time axis. */
export const NOW = "now";
export const NOT_OBSERVED = "not checked";
/** Below a chart of data age, whose line is interrupted then. */
export const NOT_KNOWN_NOTE = "No line where the verdict was unknown.";
export const NO_DATA = "No data in this range.";
export const NO_CHART = "Couldn’t load this chart. Retrying automatically.";

/**
 * How often data was overdue: "never overdue, 2 gaps not checked", "overdue 3 times, verdict unknown once".
 * @param overdue, gaps and unknown: number of each
 */
export function overdueText(counts: { overdue: number; gaps: number; unknown: number }): string {
  const { overdue, gaps, unknown } = counts;
  const never = unknown === 0 ? "never overdue" : "never known to be overdue";
  return [
    overdue === 0 ? never : `overdue ${times(overdue)}`,
    ...(gaps === 0 ? [] : [`${counted(gaps, "gap")} not checked`]),
    ...(unknown === 0 ? [] : [`verdict unknown ${times(unknown)}`]),
  ].join(", ");
}

/** "once", "3 times" */
export function times(amount: number): string {
  return amount === 1 ? "once" : `${amount} times`;
}

/** A bar's duration and its note. */
export function noted(text: string, note: string): string {
  return note === "" ? text : `${text}, ${note}`;
}

/**
 * A line of calls as a sentence, for screen readers.
 * @param from absolute time of the line's start
 * @param seen extremes, last value and its absolute time; null: no value
 * @param gaps number of unobserved periods
 */
export function lineText(
  title: string,
  from: string,
  seen: { least: number; most: number; last: number; at: string } | null,
  gaps: number,
): string {
  if (seen === null) return `${title}, from ${from}: no data.`;
  const { least, most, last, at } = seen;
  const missed = gaps === 0 ? "" : ` ${gaps === 1 ? "1 gap" : `${gaps} gaps`} not checked.`;
  return `${title}, from ${from}: between ${count(least)} and ${count(most)}, last ${count(last)} at ${at}.${missed} ${ROLLING_WINDOW}.`;
}

export const SHOW_TABLE = "Show as table";

/** Header of a table of calls. */
export const callsHead = { sample: "Sample", calls: "Calls in the previous 24 hours" };
