import type { ReactNode } from "react";
import { ROLLING_WINDOW } from "@/components/charts/words";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import { PACE_DAYS, type Pace } from "@/lib/domain/calls/pace";
import {
  allowanceShareText,
  allowanceText,
  dailyAllowanceText,
} from "@/lib/domain/calls/allowance-text";
import { dayAndMonth } from "@/lib/domain/words/dates";
import type { Period } from "@/lib/domain/history";
import { NOT_KNOWN, count, counted, moment } from "@/lib/domain/words/format";

/** Before the first complete check: the number of calls is unknown. */
export const noCalls = {
  title: "We don’t know the API calls yet",
  /** @param why no check is complete; empty while the first is running */
  sentence: (company: string, why: string) =>
    `${why === "" ? "" : `${why} `}They appear here after the first full check of ${company}.`,
};

export const noEndpoints = {
  title: "No feeds at the last check",
  sentence: (company: string) =>
    `The source listed no feeds for ${company}. Their API calls appear here once it does.`,
};

/** A share of an allowance from which it is worth saying. */
export const HIGH_SHARE = 80;

/**
 * @param until end of the 24 hours while blind; else null
 * @param highest the largest share of an allowance, in percent
 */
export function callsHeading(
  calls: number,
  until: string | null,
  highest: { partner: string; share: number } | null,
): ReactNode {
  return (
    <>
      {amountText(calls, until)}
      {highest === null || highest.share < HIGH_SHARE ? null : (
        <>
          ; <bdi>{highest.partner}</bdi> {usesText(highest.share, until)}
        </>
      )}
    </>
  );
}

/**
 * The page as one sentence.
 * @param given.missing number of endpoints that the check lacked
 * @param given.chosen the selected partner with its calls; null: none is, or they aren't known
 */
export function callsSentence(
  calls: number,
  {
    until,
    highest,
    missing,
    chosen,
  }: {
    until: string | null;
    highest: { partner: string; share: number } | null;
    missing: number;
    chosen: { partner: string; calls: number } | null;
  },
): string {
  return [
    amountText(calls, until),
    chosen === null ? "" : `${count(chosen.calls)} of them ${chosen.partner}`,
    highest === null || highest.share < HIGH_SHARE
      ? ""
      : `${highest.partner} ${usesText(highest.share, until)}`,
    missing === 0 ? "" : `${counted(missing, "feed")} not counted`,
  ]
    .filter(Boolean)
    .join("; ");
}

const amountText = (calls: number, until: string | null) =>
  `${count(calls)} API ${calls === 1 ? "call" : "calls"} in the ${until === null ? "past 24 hours" : `24 hours to ${until}`}`;

const usesText = (share: number, until: string | null) =>
  `${until === null ? "uses" : "used"} ${allowanceShareText(share)} of its allowance`;

export const rollingWindow = {
  lead: `${ROLLING_WINDOW}:`,
  rest: "Each figure counts the 24 hours before it. Add across feeds at one moment, never across time.",
};

/** @param missing number of endpoints that the check lacked */
export function callsIntro(
  asOf: ReactNode,
  { partners, endpoints, missing }: { partners: number; endpoints: number; missing: number },
): ReactNode {
  return (
    <>
      {counted(partners, "partner")}, {counted(endpoints, "feed")}, as of {asOf}.
      {missing === 0
        ? ""
        : ` ${missing} more ${missing === 1 ? "was" : "were"} missing from this check and ${missing === 1 ? "isn’t" : "aren’t"} counted.`}
    </>
  );
}

/** Columns of both lists. */
export const heads = {
  rank: "Rank",
  partner: "Partner",
  feed: "Feed",
  bar: "Bar",
  week: "Past 7 days",
  calls: "Calls",
  allowance: "Allowance (dots)",
  share: "Share",
  rateLimited: "Rate-limited runs",
  perRun: "Per completed run",
  cadence: "Schedule",
};

export const byPartner = {
  label: "API calls by partner, highest first",
  noPage: "No partners on this page.",
};

export const partnerPager = {
  label: "Pages of partners",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${page} of ${pages}, ${counted(total, "partner")}`,
};

export const feedPager = {
  ...partnerPager,
  label: "Pages of feeds",
  place: (page: number, pages: number, total: number) =>
    `Page ${page} of ${pages}, ${counted(total, "feed")}`,
};

/** The small line of a partner, for screen readers. @param values known ones */
export function smallLineText(values: readonly number[]): string {
  if (values.length === 0) return "Past 7 days: no data";
  return `Past 7 days: between ${count(Math.min(...values))} and ${count(Math.max(...values))}`;
}

/** @param isPartial some endpoints' calls are unknown */
export const shareText = (share: number, isPartial: boolean) =>
  `${isPartial ? "at least " : ""}${allowanceShareText(share)}`;

type Runs = { started: number; completed: number; rate_limited: number; is_complete: boolean };

/** "38 of 214"; "38 of 200 seen" if there may have been more. */
export function rateLimitedText({ started, rate_limited: limited, is_complete }: Runs): string {
  if (started === 0) return is_complete ? "no runs" : "none seen";
  return `${count(limited)} of ${count(started)}${is_complete ? "" : " seen"}`;
}

/** Calls per completed run: "4.8". */
export function perRunText(calls: number, { completed, is_complete }: Runs): string {
  if (!is_complete) return NOT_KNOWN;
  if (completed === 0) return "none completed";
  const each = calls / completed;
  return each >= 100 ? count(each) : each.toFixed(1).replace(/\.0$/, "");
}

export const NO_ALLOWANCE = "No allowance entered";

/** "of 2,400 a day", "of at most 3,600 a day" */
export const ofAllowance = (allowance: Allowance) => `of ${dailyAllowanceText(allowance)}`;

/** "Ana Rask, 12 Nov" */
export function enteredText({ by, at }: Allowance, timeZone: string): string {
  return `${by.name}, ${dayAndMonth(Date.parse(at), timeZone)}`;
}

/** "Allowance 1,250 a day, entered by Ana Rask, 12 Nov: per contract" */
export function allowanceSentence(allowance: Allowance, timeZone: string): string {
  const entered = allowance.per === "hour" ? `${allowanceText(allowance)}, ` : "";
  const note = allowance.note === null ? "" : `: ${allowance.note}`;
  return `Allowance ${entered}${dailyAllowanceText(allowance)}, entered by ${enteredText(allowance, timeZone)}${note}`;
}

export const allowanceAct = {
  enter: "Enter allowance",
  change: "Change allowance",
  /** After a row's text, for screen readers. */
  ofRow: (hasOne: boolean) => (hasOne ? ", change" : ", enter one"),
};

export const allowanceWords = {
  title: (partner: string) => `Allowance: ${partner}`,
  sentence:
    "How many API calls this partner permits. Everyone with access sees it, and who entered it.",
  calls: "Calls",
  per: "Period",
  periods: [
    { value: "day", label: "per day" },
    { value: "hour", label: "per hour" },
  ] as const,
  note: "Note (optional)",
  shown: (allowance: Parameters<typeof dailyAllowanceText>[0]) =>
    `Shown as ${dailyAllowanceText(allowance)}.`,
  cancel: "Cancel",
  save: "Save allowance",
  remove: "Remove allowance",
  notValid: (most: number) => `Enter a whole number of calls from 1 to ${count(most)}.`,
};

/** Message for a failed change. @param status 0: no response */
export function allowanceRefusal(status: number, verb: "save" | "remove", partner: string): string {
  if (status === 403) return "You can’t change allowances here any more.";
  if (status === 404) return `${partner} isn’t in the latest check, so it can’t have an allowance.`;
  if (status === 409) return "There are too many allowances. Remove one first.";
  return status === 0
    ? "No answer from Plumbline. Check the allowance before you try again."
    : `Couldn’t ${verb} the allowance. Try again.`;
}

export const byEndpoint = {
  title: (partner: ReactNode) => <>{partner}, by feed</>,
  note: (calls: number, asOf: ReactNode) => (
    <>
      {count(calls)} as of {asOf}
    </>
  ),
  notThere: "This partner isn’t in the latest check.",
  label: "API calls by feed, highest first",
};

/** Sync interval of an endpoint. */
export const cadence = {
  webhook: "event-driven",
  paused: "paused",
  every: (span: string) => `every ${span}`,
};

export const CSV = "CSV";
export const DOWNLOAD_CSV = "Download CSV";

/** The company's own line. */
export const COMPANY_LINE = "All partners";
/** Legend of last week's line. */
export const WEEK_BEFORE = "dashed: previous week";
export const weekBeforeText = "The previous week is drawn beneath it.";

export const rateLimited = {
  /** @param step "2 h" */
  title: (step: string) => `Rate-limited runs, per ${step}`,
  /**
   * @param past "past 7 days"
   * @param found as `found` says
   */
  label: (step: string, past: string, found: string, most: number) =>
    most === 0
      ? `Rate-limited runs, ${past}: ${found}.`
      : `Rate-limited runs per ${step}, ${past}: ${found}, at most ${count(most)} at a time.`,
  /**
   * "none", "none since 17:40", "12 seen": only what was checked counts.
   * @param unseen merged, from `unseenOf`
   */
  found: (total: number, unseen: readonly Period[], axis: Period, timeZone: string): string => {
    const [first, ...others] = unseen;
    if (total > 0) return `${count(total)}${first === undefined ? "" : " seen"}`;
    if (first === undefined) return "none";
    const isOnlyBefore = first.fromMs <= axis.fromMs && first.untilMs < axis.untilMs;
    return isOnlyBefore && others.length === 0
      ? `none since ${moment(first.untilMs, axis.untilMs, timeZone)}`
      : "none seen";
  },
  /** @param past "past 90 days" */
  tooMany: (past: string) =>
    `Rate-limited runs aren’t counted for so many feeds over the ${past}. Choose a shorter time range or a single feed.`,
};

/** What the figure of now says about a day, by the past four weeks. */
export function paceSentence(
  calls: number,
  share: number | null,
  { typical, pairs }: Pace,
): string {
  const of = share === null ? "" : `, ${allowanceShareText(share)} of the allowance`;
  const days = `${pairs === PACE_DAYS ? "" : `${pairs} of `}the past ${PACE_DAYS} days`;
  const percent = Math.round(typical * 100);
  const by = percent === 0 ? "less than 1%" : `${percent}%`;
  return `At this pace: ${counted(calls, "call")} a day${of}. Over ${days}, the figure 24 hours later differed by ${by} (median).`;
}

export const slower = {
  title: "What a slower schedule would free",
  note: "arithmetic, not a forecast: same calls per run",
  now: (calls: number, runs: number, every: string) =>
    `${counted(calls, "call")} in ${counted(runs, "run")}, ${every}`,
  instead: (runs: number, every: string) => `${every}: ${counted(Math.round(runs), "run")}`,
  frees: (calls: number) => `frees about ${count(calls)} a day`,
  /** Of several feeds. */
  together: (feeds: number) => (feeds === 2 ? "Both" : "All three"),
  free: (calls: number) => `free about ${count(calls)} a day`,
  made: "Still made",
  /** @param calls that would still be made in a day */
  still: (calls: number, allowance: Allowance | null, share: number | null) =>
    allowance === null || share === null
      ? `about ${count(calls)} a day`
      : `about ${count(calls)} a day, ${allowanceShareText(share)} of the allowance (${dailyAllowanceText(allowance)})`,
  heads: { feed: "Feed", now: "Now", instead: "Instead", frees: "Frees" },
  none: "Nothing to calculate: this needs a schedule shorter than a day and a full day of checks.",
};

export const largestChanges = {
  title: "Largest changes",
  label: "Since",
  options: [
    { value: "day", label: "Since yesterday" },
    { value: "week", label: "Since last week" },
  ],
  note: {
    day: "now against this time yesterday",
    week: "now against this time a week ago",
  },
  heads: { endpoint: "Feed", before: "Then", now: "Now", change: "Change" },
  none: (
    { compared, feeds }: { compared: number; feeds: number },
    since: "day" | "week",
  ): string => {
    if (compared === 0)
      return `Not known: there are no counts from this time ${since === "day" ? "yesterday" : "a week ago"}.`;
    return compared === feeds
      ? "No feed’s calls have changed."
      : `No change in the ${count(compared)} of ${counted(feeds, "feed")} that have a count from then.`;
  },
} as const;
