import type { HistoryRange } from "@/lib/domain/history";
import { count } from "@/lib/domain/words/format";

export const RANGE_LABEL = "Range";

/** "past 24 hours" */
export const PAST: Readonly<Record<HistoryRange, string>> = {
  "1h": "past hour",
  "24h": "past 24 hours",
  "7d": "past 7 days",
  "30d": "past 30 days",
  "90d": "past 90 days",
};

/** What every figure of calls has to be read with; stands in the head of each chart. */
export const ROLLING_WINDOW = "Rolling window: each figure counts the 24 hours before it.";

/** The right end of a time axis. */
export const NOW = "now";
export const NOT_OBSERVED = "not observed";
export const NO_DATA = "No data in this range.";
export const NO_CHART = "Couldn’t load this chart. Retrying automatically.";

/** A bar's duration and what else is said of it. */
export function noted(text: string, note: string): string {
  return note === "" ? text : `${text}, ${note}`;
}

/**
 * A line of calls as a sentence, for those who do not see it.
 * @param from absolute time at which the line begins
 * @param seen its extremes, its last value and the absolute time of that; null: it has no value
 * @param gaps how many stretches were not observed
 */
export function lineText(
  title: string,
  from: string,
  seen: { least: number; most: number; last: number; at: string } | null,
  gaps: number,
): string {
  if (seen === null) return `${title}, from ${from}: no data.`;
  const { least, most, last, at } = seen;
  const missed = gaps === 0 ? "" : ` ${gaps === 1 ? "1 gap" : `${gaps} gaps`} not observed.`;
  return `${title}, from ${from}: between ${count(least)} and ${count(most)}, last ${count(last)} at ${at}.${missed} ${ROLLING_WINDOW}`;
}

export const SHOW_TABLE = "Show as table";

/** Head of a table of calls. */
export const callsHead = { sample: "Sample", calls: "Calls in the previous 24 hours" };
