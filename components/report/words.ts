import { counted } from "@/lib/domain/words/format";
import { monthShort } from "./sentences";

export const PAGE = "On-time report";
export const MONTH_NAV = "Month";
export const CSV = "CSV";
export const PRINT = "Print";

export const legend = {
  onTime: "on time",
  overdue: "overdue",
  plannedQuiet: "planned quiet",
  notObserved: "not checked (or the source gave no time)",
  sum: "totals 100%",
};

export const heads = {
  label: "Partners",
  partner: "Partner, most overdue first",
  onTime: ["On time", "%"],
  overdue: ["Overdue", "%"],
  plannedQuiet: ["Planned", "quiet %"],
  notObserved: ["Not", "checked %"],
  change: (before: string) => ["On time", `vs ${monthShort(before)}`],
  changeNote: (before: string) =>
    `On time vs ${monthShort(before)} compares the time we could check in each month.`,
  promises: ["Promises", "kept"],
  days: (days: number) => `Days 1 to ${days}`,
  incidents: "Incidents",
  longest: ["Longest", "overdue"],
  runs: "Runs, by outcome",
} as const;

export const ALL_PARTNERS = "All partners";
export const READING = "Reading the report…";
export const NOT_READ = "Couldn’t load the feeds. Close and open to try again.";

export const outcomes = {
  completed: "completed",
  failed: "failed",
  timed_out: "timed out",
  rate_limited: "rate limited",
} as const;

const MONTH_STATE = { closed: "closed", over: "not closed yet", running: "so far" } as const;

/** "October 2026, closed", as in the breadcrumb. @param state null: unknown, or not started */
export function monthState(month: string, state: keyof typeof MONTH_STATE | null): string {
  return state === null ? month : `${month}, ${MONTH_STATE[state]}`;
}

export const apart = {
  heading: "Not counted",
  webhook: "Sent by webhook",
  paused: "Paused",
  more: (count: number) => `${count} more`,
};

const loading = (from: string) => `We’re still loading earlier history, so far back to ${from}.`;

export const empty = {
  /** While history from before the first check is being loaded, newest first. */
  growing: (from: string) => `${loading(from)} This page updates automatically.`,
  loading,
  before: (from: string) => `Our history begins on ${from}. There’s no data from before then.`,
  none: "A month’s report fills in day by day.",
  overview: "See how things are now",
  ahead: "The report fills in day by day once the month starts.",
};

/** For an address with an invalid month. */
export const noMonth = {
  title: "This link has no valid month",
  sentence: "A month in a link looks like month=2026-10.",
  latest: "Open the latest report",
};

export const sheet = {
  subject: (company: string, month: string) => `${company}, on-time report, ${month}`,
  read: {
    heading: "How to read the days",
    text: "One cell is one day, with gaps between weeks. A thin line is a day on time; a filled cell was overdue, for that share of the day. Hatched: not checked. Dotted: planned quiet.",
  },
  counted: {
    heading: "How it’s counted",
    text: "Each feed’s time is on time, overdue, planned quiet or not checked. A partner’s time is its feeds’ time added up. Shares total 100%. The change from the month before compares the time we could check.",
  },
  apart: {
    heading: "Not counted",
    text: (webhooks: number, paused: number) =>
      webhooks + paused === 0
        ? "Every feed has a schedule, so all are counted."
        : `${[webhooks > 0 ? counted(webhooks, "webhook feed") : "", paused > 0 ? counted(paused, webhooks > 0 ? "paused one" : "paused feed") : ""].filter((part) => part !== "").join(" and ")}: without a schedule, nothing can be on time or overdue.`,
  },
  foot: (company: string, endpoints: number, partners: number, timeZone: string) =>
    `${company}, ${counted(endpoints, "feed")} of ${counted(partners, "partner")}. Days in ${timeZone}.`,
  closed: (day: string) => `Closed ${day}.`,
  printed: (person: string, day: string) => `Printed by ${person}, ${day}.`,
  more: (partners: number) => `and ${counted(partners, "more partner")}`,
};
