import type { ReactNode } from "react";
import type { RunCounts } from "@/lib/contracts/history";
import type { Verdict } from "@/lib/domain/sync";
import { NO_DATA_TIME_FROM_SOURCE, runOutcomeText } from "@/lib/domain/words/labels";
import { count, counted, runDuration, span } from "@/lib/domain/words/format";
import { DAY_MS } from "@/lib/domain/time/units";
import { overdueText } from "@/components/charts/words";
import { capital } from "@/lib/domain/text/capital";

export const notListed = {
  title: "This feed is no longer listed",
  sentence: (company: string) => `${company} no longer has this feed.`,
};

export function wasWord(word: Verdict): string {
  return `was ${word}`;
}

export const neighbours = { before: "Previous", after: "Next" };

// Its figures.

const NOT_KNOWN = "not known";

export const figures = {
  age: "Data age",
  ageThen: "Age then",
  notKnown: NOT_KNOWN,
  noData: NO_DATA_TIME_FROM_SOURCE,
  asOf: (moment: string) => `as of ${moment}`,
  overdue: "Overdue",
  cadence: "Cadence",
  noCadence: "none",
  next: "Next sync",
  onEvent: "event-driven",
  notScheduled: "not scheduled",
  lastRun: "Last run",
  noRun: "none recorded",
  calls: "API calls, 24 h",
  rolling: "rolling",
};

export const overdueNotes = {
  paused: "not scheduled",
  webhook: "event-driven",
  notKnown: NOT_KNOWN,
  noData: NO_DATA_TIME_FROM_SOURCE,
  no: "no",
  since: (moment: string) => `since ${moment}`,
  due: (moment: string) => `due ${moment}`,
};

/** Its sync interval; `cadenceMs` null without one. */
export function cadenceNote(
  cadenceMs: number | null,
  source: "given" | "learned" | null,
  status: string,
): string {
  if (cadenceMs === null) return status === "webhook" ? "event-driven" : NOT_KNOWN;
  const perDay = DAY_MS / cadenceMs;
  const often = perDay >= 1 ? `${count(Math.round(perDay))} a day` : `every ${span(cadenceMs)}`;
  return source === "learned" ? `learned, ${often}` : often;
}

// Why it has its verdict.

export const why = {
  heading: (word: Verdict, isFrozen: boolean) => `Why ${isFrozen ? "it was " : ""}${word}`,
  since: (moment: string) => `since ${moment}`,
  source: (at: string) => `All numbers are from the last complete check, ${at}.`,
  sum: "Calculation",
  rules: "Rules",
  applied: "applied:",
  notApplied: "didn’t apply:",
};

// Every recorded run.

/** `other` is ours: no outcome, an unknown one, or an end that was never observed. */
export const OUTCOME: Readonly<Record<keyof RunCounts, string>> = {
  completed: runOutcomeText("completed"),
  failed: runOutcomeText("failed"),
  timed_out: runOutcomeText("timed_out"),
  rate_limited: runOutcomeText("rate_limited"),
  in_progress: runOutcomeText("in_progress"),
  other: "Not known",
};

export const runs = {
  heading: "Recorded runs",
  filter: "Outcome",
  all: "All",
  label: "Runs",
  started: (zone: string) => `Started, ${zone}`,
  outcome: "Outcome",
  duration: "Duration",
  finished: "Finished",
  newData: "New data?",
  endNotSeen: "End not recorded",
  noOutcome: "Not given",
  demo: "demo",
  no: "no",
  yes: (moment: string) => `yes, ${moment}`,
  none: "No runs recorded yet.",
  noneMatch: "No runs with this outcome.",
  pages: "Pages of runs",
  previous: "Previous",
  next: "Next",
  place: (page: number, pages: number, total: number) =>
    total === 0
      ? "No runs"
      : `Page ${page} of ${Math.max(1, pages)}, ${count(total)} ${total === 1 ? "run" : "runs"}`,
};

// Its history as charts. `past`: "past 24 hours".

export const freshness = {
  heading: (past: string) => `Freshness, ${past}`,
  noCadence: "There’s no cadence to compare the data age with. Data received is listed below.",
  label: (endpointKey: string, cadenceMs: number, overdue: Parameters<typeof overdueText>[0]) =>
    `${endpointKey}: data age against a cadence of ${span(cadenceMs)}. ${capital(overdueText(overdue))}.`,
};

/**
 * @param half median duration of completed runs in seconds; `most`: their 95th percentile; null:
 *   none
 * @param others number of runs with other outcomes, by outcome
 */
export function usualDuration(
  half: number | null,
  most: number | null,
  others: readonly (readonly [keyof RunCounts, number])[],
): string {
  const apart = others.flatMap(([outcome, amount]) =>
    amount === 0 ? [] : durations.outcomes(amount, outcome),
  );
  const usual =
    half === null || most === null
      ? "no completed runs in this range"
      : `half of completed runs took up to ${runDuration(half * 1000)}, 95% up to ${runDuration(most * 1000)}`;
  return apart.length === 0 ? usual : `${usual}; not counted: ${apart.join(", ")}`;
}

export const durations = {
  heading: (past: string) => `Run duration, ${past}`,
  note: (usual: string): ReactNode => <>log scale; {usual}</>,
  /** While nothing is known of the runs. */
  scale: "log scale",
  band: "half to 95% of completed runs",
  /** @param longest seconds; null without a run */
  label: (amount: number, usual: string, longest: number | null) =>
    `Duration of ${counted(amount, "completed run")}: ${usual}${longest === null ? "" : `; the longest ${runDuration(longest * 1000)}`}.`,
  table: "Run duration",
  started: "Started",
  longest: "Longest",
  runs: "Runs",
  /** "3 failed" */
  outcomes: (amount: number, outcome: keyof RunCounts) =>
    `${amount} ${OUTCOME[outcome].toLowerCase()}`,
};

export const received = {
  heading: (past: string) => `Data received, ${past}`,
  /** @param isWhole all of the range was observed */
  none: (isWhole: boolean) =>
    isWhole
      ? "No data received in this range."
      : "No data received while we were checking. We couldn’t check all of this range.",
  table: "Data received",
  at: "Received",
  times: "Times",
  longestGap: "Longest gap",
  range: (first: string, last: string) => `${first} to ${last}`,
};

export const verdicts = {
  heading: (past: string) => `Verdicts, ${past}`,
  /** @param isWhole all of the range was observed */
  none: (isWhole: boolean) =>
    isWhole ? "No changes in this range." : "No changes seen. We couldn’t check all of this range.",
  label: "Verdict changes",
  removed: "removed",
  firstSeen: "first seen",
};

// The raw fields.

export const rawFields = {
  heading: "Raw fields",
  note: "as received, with the time each value last changed",
  notRecorded: "not recorded",
  firstSeen: (at: string) => `First seen ${at}.`,
};

export const promised = {
  heading: "Promise",
  /** @param times "by 07:00 on workdays", @param zone "Oslo time" */
  rule: (times: string, zone: string) => `Promised ${times}, ${zone}.`,
  /** @param kept "16 of 17 kept, 1 missed" */
  month: (month: string, kept: string) => `${month} so far: ${kept}.`,
  all: "All promises",
};

export const learnedWeek = {
  heading: "Learned week",
  /** @param quiet "learned: quiet on Sat and Sun, Oslo time", @param since "12 Oct" */
  on: (quiet: string, since: string) =>
    `${capital(quiet)}. In force since ${since}. This time doesn’t count as overdue.`,
  off: "Switched off: data is expected at all times.",
  next: "On: learned within a day.",
  /** @param quiet as of `on` */
  notApplied: (quiet: string) =>
    `${capital(quiet)}. Not applied now, for example because data of a missed promise is awaited: all time counts.`,
  switchOff: "Switch off",
  switchOn: "Switch on",
  isOff: "Switched off.",
  isOn: "Switched on.",
  failed: "It couldn’t be changed. Try again.",
};
