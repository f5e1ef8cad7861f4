import type { KeyWords } from "@/components/list/keys-dialog";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type {
  KeptDay,
  PromiseImported,
  PromiseRequest,
  PromiseView,
  RehearsedDay,
} from "@/lib/contracts/promises";
import type { PromiseCounts } from "@/lib/contracts/row-promise";
import {
  LONGEST_ALLOWANCE,
  MAX_DEADLINES,
  MAX_HOLIDAYS,
  MAX_MONTH_DAYS,
} from "@/lib/domain/deadlines/deadline";
import { capital } from "@/lib/domain/text/capital";
import { dayOrdinal, monthName } from "@/lib/domain/time/calendar-names";
import { typedText } from "@/lib/domain/time/typed-date";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import { asideText, keptText } from "@/lib/domain/words/deadlines/kept-text";
import { daysText } from "@/lib/domain/words/deadlines/promise-days";
import { byText, missedText } from "@/lib/domain/words/deadlines/promise-text";
import { cadenceOf } from "@/lib/domain/verdict";
import { allOf, count, counted, duration, span } from "@/lib/domain/words/format";
import type { Warned, WorstDay } from "./kept";
import { worstMiss } from "./kept";

export const PROMISES = "Promises";
export const ADD = "Add a promise";
export const IMPORT = "Import CSV";
export const EXPORT = "CSV";

// List.

/**
 * What needs attention, or else how many there are: "3 promises to Northgate Builders".
 * @param first "Sage 300 commitments, by 15:00, in 40 m": the first one in trouble; null: none is
 */
export function headline(
  amount: number,
  company: string,
  trouble: { missed: number; atRisk: number; first: string | null },
): string {
  const { missed, atRisk, first } = trouble;
  if (first === null)
    return amount === 0 ? "No promises" : `${counted(amount, "promise")} to ${company}`;
  const of = (number: number) =>
    amount === 1 ? "1 promise" : `${count(number)} of ${counted(amount, "promise")}`;
  const said =
    missed > 0
      ? `${of(missed)} missed${atRisk > 0 ? `, ${count(atRisk)} at risk` : ""}`
      : `${of(atRisk)} ${atRisk === 1 ? "is" : "are"} at risk`;
  return `${said}: ${first}`;
}

/** "In November, 102 of 107 kept, 4 missed, 1 not checked."; empty if that isn't known. */
export function monthSentence(month: string, kept: PromiseCounts | null): string {
  if (kept === null) return "";
  const text = monthText(month, kept);
  return text === "" ? `No days of ${monthName(month)} counted yet.` : `${capital(text)}.`;
}

/** The same within a sentence: "in November, 102 of 107 kept"; empty without a day. */
export function monthText(month: string, kept: PromiseCounts | null): string {
  if (kept === null || totalOf(kept) === 0) return "";
  return `in ${monthName(month)}, ${keptText(kept)}${asideText(kept)}`;
}

/** ", 1 missed by 2 h 10 m, 1 not checked": with how late the worst one was. */
export function monthAside(counts: PromiseCounts, days: readonly WorstDay[]): string {
  const worst = worstMiss(days);
  const late = worst?.late_seconds ?? null;
  const { missed } = counts;
  if (worst === null || late === null) return asideText(counts);
  const by = byText(late, worst.late_at_most);
  const said = missed === 1 ? `, 1 missed ${by}` : `, ${count(missed)} missed, one ${by}`;
  return `${said}${asideText({ ...counts, missed: 0 })}`;
}

function totalOf(counts: PromiseCounts): number {
  return counts.met + counts.missed + counts.not_observed + counts.excused;
}

export const head = {
  subject: "Partner / feed",
  promised: "Promised",
  cadence: "Cadence",
  now: "Now",
  next: "Next sync",
  month: (month: string) => `${monthName(month)} so far`,
  actions: "Actions",
};
export const actions = { edit: "Edit", view: "Details" };

/** "every 1 h", "every 15 m to 24 h", "event-driven"; empty where it isn't known. */
export function cadencesText(feeds: readonly SyncStatusRow[]): string {
  const isOnEvent = ({ status }: SyncStatusRow) => status === "webhook";
  const cadences = feeds.flatMap((row) =>
    isOnEvent(row) ? [] : (cadenceOf(row, row.known).ms ?? []),
  );
  if (cadences.length === 0)
    return feeds.length > 0 && feeds.every(isOnEvent) ? "event-driven" : "";
  const [shortest, longest] = [span(Math.min(...cadences)), span(Math.max(...cadences))];
  return shortest === longest ? `every ${shortest}` : `every ${shortest} to ${longest}`;
}

export const ALL_FEEDS = "all feeds";
export const EVERY_PARTNER = "All partners";
export const GONE_FEED = "a feed that’s no longer listed";
export const dataFrom = (time: string) => `data from ${time} on`;
export const allowance = (minutes: number) => `${span(minutes * MINUTE_MS)} allowance`;
export const target = (percent: number) => `target ${percent}%`;
/** After how a month was kept. */
export const belowTarget = "; below target";
/** @param day "2026-11-30", like that of `until` */
export const since = (day: string) => `from ${typedText(day)}`;
export const until = (day: string) => `until ${typedText(day)}`;
/** @param next "Mon 30 Nov, 06:00" */
export const nextText = (next: string) => `Next: ${next}`;
export const NO_MORE_DAYS = "No days left";
/** @param amount feeds of the promise in the same state as the first one */
export const ofFeeds = (amount: number, all: number) =>
  `${count(amount)} of ${counted(all, "feed")}: `;
export const KEPT_UNKNOWN = "Couldn’t load this month’s days. Retrying automatically.";

export const legend = {
  met: "kept: data received in time",
  missed: "missed",
  open: "still open",
  not_observed: "not checked: counts as neither",
  excused: "excused: planned quiet time, or the feed was paused",
};
/** @param zone "UTC", the reader's */
export const zoneNote = (zone: string) =>
  `A promise is in the customer’s time zone. Times under “${head.now}” are ${zone}.`;

/** "November by day: kept on 16 days, missed on 1 (the 14th), not checked on 0" */
export function monthCellsText(days: readonly WorstDay[], month: string): string {
  const on = (outcome: WorstDay["outcome"]) => days.filter((day) => day.outcome === outcome);
  const missed = on("missed");
  const which =
    missed.length === 0 ? "" : ` (${missed.map(({ date }) => dayOrdinal(date)).join(", ")})`;
  const unseen = on("not_observed").length;
  const excused = on("excused").length;
  return [
    `${monthName(month)} by day: kept on ${counted(on("met").length, "day")}`,
    `missed on ${count(missed.length)}${which}`,
    ...(unseen === 0 ? [] : [`not checked on ${count(unseen)}`]),
    ...(excused === 0 ? [] : [`excused on ${count(excused)}`]),
  ].join(", ");
}

export const SEARCH = "Find a promise";
export const pageWords = {
  label: "Pages of promises",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${page} of ${pages}, ${counted(total, "promise")}`,
};

export const listWords = {
  none: {
    title: "No promises yet",
    sentence:
      "A promise is what a customer was told: data is in by a time, on certain days. Each day counts as kept or missed.",
  },
  noMatches: { sentence: "No promise matches.", show: "Show all" },
  notLoaded: { title: "Couldn’t load the promises", sentence: "Retrying automatically." },
};
export const noPromise = {
  title: "No such promise",
  sentence: "It may have been deleted.",
  back: "All promises",
};

// Form.

export const formWords = {
  add: "Add a promise",
  edit: "Edit promise",
  one: "Promise",
  sentence: "A promise is shown beside the verdict and never changes it.",
  what: "Feeds",
  whatHint: "A promise for a feed replaces its partner’s, and a partner’s replaces the customer’s.",
  whatStays: "To promise something for other feeds, add another promise.",
  choose: "Choose",
  feed: "Feed",
  by: "New data by",
  zone: "Time zone",
  days: "Days",
  weekly: "Days of the week",
  monthly: "Days of the month",
  kind: "Which days",
  addDay: "Add a day",
  remove: (name: string) => `Remove ${name}`,
  dataFrom: "Counts from",
  dataFromLabel: "Data counts from",
  dataFromHint:
    "Optional. Without it, data counts from two cadences before the promised time, but never from the day before; for event-driven feeds, from the start of the day.",
  holidays: "Not on",
  holidaysLabel: "Dates without a promise",
  holidaysHint: "Holidays, one date per line.",
  allowance: "Allowance",
  minutes: "minutes",
  allowanceHint: "Data this much later still counts as kept.",
  from: "From",
  until: "Until",
  range: "Applies",
  rangeHint: "Both optional and inclusive. It can’t start in the past.",
  target: "Target",
  percent: "% of days kept",
  note: "Note",
  noteExample: "Contract 4.2, agreed with Marit Solberg",
  noteHint: "Only your team sees this.",
  save: "Save promise",
  cancel: "Cancel",
  back: "Back",
  delete: "Delete promise",
};

/**
 * Examples in empty fields, which could be entered as they are.
 * @param today "2026-11-24"
 * @param by "07:00", the promised time
 */
export function examplesOf(today: string, by: string) {
  const year = Number(today.slice(0, 4));
  const christmas = `${year}-12-25`;
  const hour = Number(by.slice(0, 2));
  return {
    from: typedText(`${year + 1}-01-01`),
    until: typedText(`${year + 1}-12-31`),
    holiday: typedText(christmas < today ? `${year + 1}-12-25` : christmas),
    dataFrom: hour > 0 ? `${String(Math.max(0, hour - 3)).padStart(2, "0")}:00` : "",
  };
}

/** The facts of a promise by the names of its form's fields; what isn't set is left out. @param feeds what it is for */
export function factsOf(
  promise: Pick<PromiseView, keyof PromiseRequest>,
  feeds: string,
): [name: string, text: string][] {
  const { from, until: last, data_from: countsFrom, allowance_minutes: minutes, note } = promise;
  const range = [from === null ? "" : since(from), last === null ? "" : until(last)];
  const facts: [string, string][] = [
    [formWords.what, feeds],
    [formWords.by, `${promise.by}, ${zoneTimeText(promise.time_zone)}`],
    [formWords.days, capital(daysText(promise))],
    [formWords.dataFrom, countsFrom ?? ""],
    [formWords.holidays, promise.holidays.map(typedText).join(", ")],
    [formWords.allowance, minutes === 0 ? "" : counted(minutes, "minute")],
    [formWords.range, capital(range.filter((part) => part !== "").join(", "))],
    [
      formWords.target,
      promise.target_percent === null ? "" : `${promise.target_percent}${formWords.percent}`,
    ],
    [formWords.note, note ?? ""],
  ];
  return facts.filter(([, text]) => text !== "");
}

export const LACK_TEXT = {
  subject: "Choose which feeds the promise is about.",
  by: "Enter the promised time, like 07:00.",
  days: "Choose at least one day.",
  monthDays: `Choose at least one day of the month, and at most ${MAX_MONTH_DAYS}.`,
  timeZone: "Choose a time zone.",
  dataFrom: "“Counts from” must be a time before the promised one.",
  holidays: `Enter one date per line, like 25 Dec 2026, at most ${MAX_HOLIDAYS}.`,
  allowance: `The allowance must be whole minutes, at most ${count(LONGEST_ALLOWANCE)}.`,
  from: "The first day must be today or later.",
  until: "The last day can’t be before the first.",
  target: "The target must be between 0 and 100%.",
  note: "The note is too long.",
} as const;

/** A field of the form that a message can be about. */
export type Lack = keyof typeof LACK_TEXT;

export const FAULT_TEXT = {
  by: "A day starts at 00:00, so no data can be in by then. For the end of a day, enter 23:59.",
  from: LACK_TEXT.from,
  until: "The last day must be today or later.",
  noDay: "None of the promise’s days lies between these dates.",
};

export const deleteDialog = {
  title: "Delete this promise?",
  children: "Days already counted stay in reports. Nothing new is counted.",
  keep: "Keep promise",
  act: "Delete promise",
};

/** Why a request failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Your request may have gone through.";
  if (status === 400)
    return "Something here isn’t valid. Check the feed, the dates and the time zone. A promise can’t start in the past.";
  if (status === 403) return "Your role doesn’t allow this.";
  if (status === 404) return "This promise is no longer there.";
  if (status === 409 || status === 422)
    return `There can’t be more than ${count(MAX_DEADLINES)} promises. Delete one first.`;
  return "Couldn’t save the promise. Try again.";
}

// Keyboard.

export const footWords = {
  label: "Keyboard shortcuts",
  move: "move",
  open: "open",
  make: "add a promise",
  said: (amount: number) => counted(amount, "promise"),
  all: "all keys",
};

/** @param mayMake the person may make promises */
export const promiseKeys = (mayMake: boolean): KeyWords => [
  ["J, K", "move from promise to promise"],
  ["Enter", "open the promise"],
  ...(mayMake ? [["N", "add a promise"] as const] : []),
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];

// Rehearsal.

export const rehearsalWords = {
  label: "Rehearsal",
  period: "Period",
  days90: "90 days",
  idle: "Complete the form to see how the promise would have been kept.",
  busy: "Checking the history…",
  failed: "Couldn’t check the history.",
  tooMuch: "This is too much history to check at once. Choose a feed, or a shorter time.",
  again: "Try again",
  feed: "Feed",
  noFeeds: "It applies to no feed now.",
  none: (period: string) => `No promised day in ${period}`,
  unseen: (period: string) =>
    `We can’t tell for ${period}: nothing was checked on the promised days`,
  /** @param zone "Oslo time" */
  chart: (zone: string) => `Each dot is the first data that counted. Times are ${zone}.`,
  notIn: "no data",
  notChecked: "not checked",
  excused: "excused",
  assumed:
    "Warnings assume one attempt per cadence: the history has the runs, but not their schedules.",
  warnedAt: (time: string) => `warned ${time}`,
};

/** "October"; for the last 90 days, "the last 90 days". */
export const periodText = (month: string | null) =>
  month === null ? "the last 90 days" : monthName(month);

/**
 * "Would have been kept on 21 of 22 mornings in October, missed on the 14th by 2 h 10 m".
 * @param by "07:00", the promised time
 * @param month null: the last 90 days
 */
export function rehearsalTitle(
  counts: PromiseCounts,
  days: readonly WorstDay[],
  { by, month }: { by: string; month: string | null },
): string {
  const judged = counts.met + counts.missed;
  const period = month === null ? "over the last 90 days" : `in ${monthName(month)}`;
  if (judged === 0) {
    return counts.not_observed + counts.excused === 0
      ? rehearsalWords.none(periodText(month))
      : rehearsalWords.unseen(periodText(month));
  }
  const thing = by < "12:00" ? "morning" : by < "17:00" ? "afternoon" : "evening";
  const kept = `Would have been kept on ${count(counts.met)} of ${counted(judged, thing)} ${period}`;
  const worst = worstMiss(days);
  if (worst === null) return kept;
  const date =
    month === null
      ? `${Number(worst.date.slice(8))} ${monthName(worst.date)}`
      : `the ${dayOrdinal(worst.date)}`;
  const late =
    worst.late_seconds === null ? "" : ` ${byText(worst.late_seconds, worst.late_at_most)}`;
  return counts.missed === 1
    ? `${kept}, missed on ${date}${late}`
    : `${kept}, missed on ${count(counts.missed)}, the worst on ${date}${late}`;
}

/** "1 not checked, 2 excused; they count as neither."; empty for none. */
export function rehearsalAside(counts: PromiseCounts): string {
  const aside = asideText({ ...counts, missed: 0 }).slice(2);
  if (aside === "") return "";
  const isOne = counts.not_observed + counts.excused === 1;
  return `${aside}; ${isOne ? "it counts" : "they count"} as neither.`;
}

/**
 * How many misses would have been warned of, and of how many that isn't known; empty without misses.
 * @param given see `warnedMisses`
 */
export function warnedText({ missed, warned, partly, unknown, leadMs }: Warned): string {
  if (missed === 0) return "";
  if (unknown === missed) return "We can’t tell from the history whether you’d have been warned.";
  const rest = unknown === 0 ? "" : ` For ${count(unknown)} we can’t tell from the history.`;
  const known = missed - unknown;
  if (leadMs !== null) return `You’d have been warned ${duration(leadMs)} before.`;
  const ofOne = missed === 1 ? "" : " of one";
  if (known === 1 && warned + partly === 0)
    return `You wouldn’t have been warned${ofOne} 15 m before.${rest}`;
  if (known === 1) {
    const some = partly === 1 ? ", but not for all its feeds" : "";
    return `You’d have been warned${ofOne} at least 15 m before${some}.${rest}`;
  }
  const amount =
    warned === known ? allOf(known) : `${warned === 0 ? "none" : count(warned)} of ${count(known)}`;
  const some = partly === 0 ? "" : ` for all their feeds, and of ${count(partly)} for some,`;
  return `You’d have been warned of ${amount}${some} at least 15 m before.${rest}`;
}

/**
 * What a day's mark says: "14 Oct: 09:10, missed by 2 h 10 m, warned 06:20".
 * @param times see `dayTimes`
 */
export function rehearsalDayText(
  day: RehearsedDay,
  date: string,
  { at, warned }: { at: string | null; warned: string | null },
): string {
  const { outcome, is_warning_known: isKnown } = day;
  const said = outcomeText(day, date, at);
  if (warned !== null) return `${said}, ${rehearsalWords.warnedAt(warned)}`;
  if (outcome !== "missed") return said;
  return `${said}, ${isKnown ? "no warning" : "warning not known"}`;
}

function outcomeText(day: KeptDay, date: string, at: string | null): string {
  const { outcome, late_seconds: late } = day;
  if (outcome === "not_observed") return `${date}: ${rehearsalWords.notChecked}`;
  if (outcome === "excused") return `${date}: ${rehearsalWords.excused}`;
  const received = at ?? rehearsalWords.notIn;
  if (outcome === "met") return `${date}: ${received}`;
  return `${date}: ${received}, ${late === null ? "missed" : missedText(late, day.late_at_most)}`;
}

// Import.

export const importWords = {
  title: "Import promises",
  about:
    "A line with the same feed, time, days, zone and first day as a promise updates it; every other line adds one.",
  format: "Use the columns of the export.",
  file: "File",
  text: "Or paste it here",
  check: "Check",
  save: "Import",
  checking: "Checking…",
  saving: "Importing…",
  cancel: "Cancel",
  close: "Close",
  errors: "Lines with errors",
  line: "Line",
  problem: "Problem",
  bad: (lines: number) =>
    `${lines === 1 ? "1 line isn’t valid" : `${count(lines)} lines aren’t valid`}. Nothing was imported.`,
  /** @param unchanged lines that are promises already */
  nothing: (unchanged: number) =>
    unchanged === 0
      ? "There’s nothing to import."
      : `Nothing to import: ${counted(unchanged, "promise")} ${unchanged === 1 ? "is" : "are"} already there.`,
};

/** "3 would be added, 1 changed; 12 are already there." */
export function importedText({
  dry_run: isDry,
  added,
  changed,
  unchanged,
}: PromiseImported): string {
  const be = (amount: number) => (isDry ? "would be" : amount === 1 ? "was" : "were");
  const same =
    unchanged === 0 ? "" : `; ${count(unchanged)} ${unchanged === 1 ? "is" : "are"} already there`;
  return `${counted(added, "promise")} ${be(added)} added, ${count(changed)} changed${same}.`;
}

/** Why an import failed. @param status HTTP status; 0: no response. @param isDry it only checked the lines */
export function importRefusal(status: number, message: string | null, isDry: boolean): string {
  if (status === 413) return message ?? "The file is larger than 64 KB. Split it.";
  if (status === 422)
    return message ?? `There can’t be more than ${count(MAX_DEADLINES)} promises to a customer.`;
  if (status === 400) return message ?? "This isn’t a CSV file that we can read.";
  if (isDry && status === 0) return "Plumbline isn’t responding. Try again.";
  if (status === 0 || status === 403) return refusal(status);
  return isDry
    ? "Couldn’t check the lines. Try again."
    : "Couldn’t import the promises. Try again.";
}
