import type { WallFirst } from "@/lib/client/wall/state";
import type { PromiseTally } from "@/lib/domain/deadlines/promise-tally";
import type { Verdict } from "@/lib/domain/sync";
import { tallyText } from "@/lib/domain/words/deadlines/tally-text";
import { allOf, count, counted, duration } from "@/lib/domain/words/format";
import { NO_DATA_TIME } from "@/lib/domain/words/labels";
import { capital } from "@/lib/domain/text/capital";

/** "Northgate Builders", "Northgate Builders and Orchard", "3 customers". */
export function namesText(names: readonly string[]): string {
  return names.length > 2 ? companiesText(names.length) : names.join(" and ");
}

export function companiesText(amount: number): string {
  return `${amount} customers`;
}

// The head: whose wall it is and what needs attention.

export const NO_COMPANY = "Plumbline";
export const SCORES_LABEL = "Feeds by verdict";

/** @param at moment of the oldest check while delayed; empty: all is live */
export const attentionWords = {
  none: (at: string, isAllKnown: boolean) => {
    if (isAllKnown)
      return at === "" ? "Nothing needs attention" : `Nothing needed attention at ${at}`;
    return at === ""
      ? "Nothing is known to need attention"
      : `Nothing was known to need attention at ${at}`;
  },
  share: (
    { troubled, total }: { troubled: number; total: number },
    at: string,
    isFrozen: boolean,
  ) => {
    const share = `${count(troubled)} of ${count(total)}`;
    if (isFrozen) return `${share} needed attention at ${at}`;
    return `${share} ${troubled === 1 ? "needs" : "need"} attention${at === "" ? "" : `, as of ${at}`}`;
  },
  /** Appended to either; empty for none. */
  promises: ({ missed, atRisk }: Pick<PromiseTally, "missed" | "atRisk">) => {
    const text = tallyText({ missed, atRisk, kept: 0 });
    return text === "" ? "" : `, ${text}`;
  },
  excluding: (names: string) => `, excluding ${names}`,
  /** The number of several comes first: names may be cut off. */
  left: (names: string, amount: number) =>
    `; ${amount === 1 ? "" : `${count(amount)} `}disconnected: ${names}`,
  /** Without any feeds, about which nothing is said. */
  onlyLeft: (names: string, amount: number) =>
    `${amount === 1 ? "Disconnected" : `${count(amount)} disconnected`}: ${names}`,
  /** Of several customers. @param at as in `none`; never empty if frozen */
  fleet: (
    { behind, all, onTime, unseen, cannotJudge }: FleetNumbers,
    at: string,
    isFrozen: boolean,
  ) => {
    const who = `${behind === 0 ? "None" : count(behind)} of ${companiesText(all)}`;
    const was = behind === 0 || behind === 1 ? "was" : "were";
    // Of one that isn't seen or can't be judged, nothing is claimed.
    const known = behind === 0 && unseen + cannotJudge > 0 ? "known to be " : "";
    if (isFrozen) return `${who} ${was} ${known}behind at ${at}`;
    const parts = [
      behind === 0 ? `${who} is ${known}behind` : `${who} behind`,
      `${count(onTime)} on time`,
      unseen === 0 ? "" : `can’t see ${count(unseen)}`,
      cannotJudge === 0 ? "" : `can’t judge ${count(cannotJudge)}`,
      at === "" ? "" : `as of ${at}`,
    ];
    return parts.filter(Boolean).join(", ");
  },
};

/** Numbers of customers. */
type FleetNumbers = {
  behind: number;
  all: number;
  onTime: number;
  unseen: number;
  cannotJudge: number;
};

// The band: why the wall is blind.

export const bandWords = {
  /** @param since moment of the last check; null: there was none */
  title: (since: string | null) =>
    since === null ? "Can’t see: no check yet" : `Can’t see since ${since}`,
  several: "Several reasons.",
  /** For some of the companies; `reason` starts in lower case. */
  whose: (names: string, reason: string) => `${names}: ${reason}`,
  noData: "No data yet.",
  age: (ageMs: number) => `Status is ${duration(ageMs)} old.`,
  warning: (isAll: boolean) =>
    isAll ? "Everything below may have changed." : "Anything hatched may have changed.",
  lostConnection: (at: string) => `This display lost connection to Plumbline at ${at}.`,
  noCheck: "No complete check since.",
};

// Instead of a picture.

export const notices = {
  noCompany: {
    headline: "No customers to show",
    detail: "This display doesn’t have access to any customers, or none are connected.",
  },
  left: (names: string) => ({
    headline: `${names} disconnected`,
    detail: "An administrator can choose what this display shows.",
  }),
  noAnswer: (names: string) => ({
    headline: "Waiting for the first response",
    detail: `This display has no data for ${names} yet.`,
  }),
  blind: (names: string) => ({
    headline: "No verdicts yet",
    detail: `Verdicts for ${names} appear after the first full check.`,
  }),
  starting: (names: string) => ({
    headline: "Starting",
    detail: `${names}: first check in progress. Verdicts appear once it finishes.`,
  }),
  noEndpoint: (names: string) => ({
    headline: "No feeds at the last check",
    detail: `The source listed no feeds for ${names}.`,
  }),
};

// Instead of a wall.

/**
 * Texts of a wall that may not show anything, or not yet.
 * @param host of Plumbline's address, which a display's browser may not show
 */
export function closedWords(
  access: Exclude<WallFirst["access"], { state: "open" }>,
  host: string,
): { title: string; sentence: string } {
  if (access.state === "ended" && access.isPaused) {
    return { title: "Displays are paused", sentence: access.sentence };
  }
  return access.state === "ended"
    ? {
        title: "This display is no longer paired",
        sentence: `${access.sentence} To pair it again, open ${host}/pair on it.`,
      }
    : {
        title: "Can’t check what this display can show",
        sentence: "Retrying automatically. Nothing is shown until then.",
      };
}

export const noSuchCompany = {
  title: "No such customer",
  sentence: "This display doesn’t show that customer. Retrying automatically.",
};

export const notLoaded = {
  title: "Couldn’t load the wall",
  sentence: "We can’t show sync status right now. Retrying automatically.",
};

/** For a page whose scripts never ran; embedded in a script between double quotes. */
export const NOT_STARTED = "The wall couldn’t start. Waiting for Plumbline.";

// A calm wall.

/**
 * @param at moment of the oldest check while delayed; null: everything shown is live
 * @param isPart some companies are blind, so "all" doesn't include them
 */
export function calmText(
  { fresh, scheduled }: { fresh: number; scheduled: number },
  at: string | null,
  isPart: boolean,
): string {
  const when = at === null ? "" : ` at ${at}`;
  if (scheduled === 0)
    return at === null ? "No feeds are scheduled" : `No feeds were scheduled${when}`;
  const which = isPart ? " that we can see" : "";
  const endpoints = `${counted(scheduled, "scheduled feed")}${which}`;
  const are = scheduled === 1 ? (at === null ? "is" : "was") : at === null ? "are" : "were";
  if (fresh < scheduled) return `${count(fresh)} of ${endpoints} ${are} fresh${when}`;
  const all =
    scheduled === 1
      ? `The only scheduled feed${which}`
      : `${capital(allOf(scheduled))} scheduled feeds${which}`;
  return `${all} ${are} fresh${when}`;
}

export const DUE_NEXT = "Due next:";

/** The API caches for a minute: no countdown goes below one. */
export function aheadText(aheadMs: number): string {
  return aheadMs < 60_000 ? "in under 1 m" : `in ${duration(aheadMs)}`;
}

export const fieldWords = {
  start: "just synced",
  due: "due",
  quiet: (feeds: number) => `learned quiet times not counted for ${counted(feeds, "feed")}`,
  /** @param quiet see `quiet`; empty: for none */
  label: (fresh: number, due: number, quiet: string) => {
    const dots = `${fresh + due} feeds, each a dot placed by its data age against its cadence`;
    const past = due === 0 ? "none past due" : `${due} past due, within the allowance`;
    return [dots, past, quiet].filter((text) => text !== "").join("; ");
  },
};

// A wall with problems.

export const PROBLEMS_LABEL = "Problems, unacknowledged first, then worst first";

export const factWords = {
  stuckFor: (ms: number) => `stuck for ${duration(ms)}`,
  stuck: "run looks stuck",
  due: (moment: string) => `due ${moment}`,
  next: (moment: string, isNarrow: boolean) => `${isNarrow ? "next" : "next sync"} ${moment}`,
  syncing: "syncing now",
  runsFailed: (runs: number, isMinimum: boolean) =>
    `${isMinimum ? "at least " : ""}${runs} runs failed`,
  rateLimited: "rate limited",
  /** @param how "by 15:00, at risk" */
  promised: (how: string) => `promised ${how}`,
  lastRun: (run: { outcome: string; wasLimitedSince: boolean }, moment: string) =>
    `${run.wasLimitedSince ? "" : "last run "}${run.outcome === "timed_out" ? "timed out" : "failed"} ${moment}`,
  noData: NO_DATA_TIME,
  quiet: "in planned quiet",
  /** @param name null: the screen does not show people */
  onIt: (name: string | null) => (name === null ? "acknowledged" : `acknowledged by ${name}`),
};

/** The number of a problem and its unit. */
export const problemFigures = {
  frozen: { text: "not known", caption: "now" },
  overdue: "overdue",
  running: "running",
  failed: "failed",
  runs: (runs: number, isMinimum: boolean) =>
    runs === 1 ? "1 run" : `${runs}${isMinimum ? "+" : ""} runs`,
  old: "old",
};

// Problems without a row.

export const moreWords = {
  sameWord: (amount: number, word: Verdict, areFrozen: boolean) => {
    const are = areFrozen ? (amount === 1 ? "was" : "were") : amount === 1 ? "is" : "are";
    return `${count(amount)} more ${are} ${word}:`;
  },
  mixed: (amount: number, areFrozen: boolean) =>
    `${count(amount)} more ${areFrozen ? "needed" : "need"} attention:`,
  unknown: (amount: number, areFrozen: boolean) =>
    `${count(amount)} unknown${areFrozen ? " then" : ""}:`,
  tail: (left: number) => (left > 0 ? `and ${count(left)} more` : ""),
};

// Several customers.

export const fleetWords = {
  promised: "promised",
  /** Of a wall that a person views. */
  title: "Customers",
  label: "Problems, worst first",
  at: " at ",
  feeds: (amount: number) => counted(amount, "feed"),
  since: (moment: string) => `since ${moment}`,
  next: "next",
  noOne: "no one yet",
  /** @param names of those who acknowledged it; none: the screen does not show people */
  onAll: (names: readonly string[]) => {
    if (names.length > 2) return `${count(names.length)} people`;
    return names.length === 0 ? "acknowledged" : names.join(" and ");
  },
  onSome: (acknowledged: number, of: number) =>
    `${count(acknowledged)} of ${count(of)} acknowledged`,
  more: (amount: number) => `${count(amount)} more:`,
  ofWord: (amount: number, word: Verdict, areFrozen: boolean) =>
    `${count(amount)} ${areFrozen ? (amount === 1 ? "was " : "were ") : ""}${word}`,
  withNoOne: (amount: number) => `${count(amount)} with no one yet`,
  quiet: (amount: number) => `${counted(amount, "feed")} in planned quiet`,
  /** After names. */
  notChecked: ": not checked yet",
  /** The same. @param since of the first of them; `isFirst`: others since later, or never checked */
  unseen: (since: string, isFirst: boolean) =>
    `: can’t see${isFirst ? ", the first" : ""} since ${since}`,
  attempts: "Next attempts",
  onDay: (day: string, whose: string) => `${day}, ${whose}`,
  noneScheduled: "None scheduled",
  notKnown: "Not known now",
  /** Of those that are seen. */
  seenOf: (seen: number, all: number) =>
    seen === all ? companiesText(all) : `${count(seen)} of ${companiesText(all)}`,
};

// The tiles.

export const tileWords = {
  all: "All feeds by verdict",
  others: "Other feeds by verdict",
  unread: "not checked yet",
  asOf: (moment: string) => `as of ${moment}`,
  at: (moment: string) => `at ${moment}`,
  total: (amount: number, thing: "partner" | "company") =>
    `${amount} more ${thing === "partner" ? "partners" : "customers"}`,
};

// The footer.

export const footWords = {
  starting: "Starting",
  of: (label: string, names: string) => `${label}: ${names}`,
  ages: "Data age at each step",
  /** Of a static picture. */
  asOf: (label: string, time: string) => `${label} at ${time}`,
  everyMinute: "Updates every minute.",
};
