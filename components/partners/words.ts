import type { KeyWords } from "@/components/list/keys-dialog";
import type { LeadPart } from "@/components/list/lead-sentence";
import type { PartnersView, PartnerSummary } from "@/lib/contracts/partners/partners";
import type { StandingCounts } from "@/lib/domain/partners/shown";
import { monthAndYear, monthName } from "@/lib/domain/time/calendar-names";
import { groupBy } from "@/lib/domain/collections/group-by";
import { listed } from "@/lib/domain/text/listed";
import { allOf, count, counted } from "@/lib/domain/words/format";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { UNSEEN_AFTER } from "@/lib/domain/words/then-and-now";
import { behindThenText } from "@/lib/domain/words/trouble-words";
import type { Shown } from "./partner-url";

/** A part of the sentence. */
export type PartnerPart = LeadPart<Shown>;

const part = (text: string, does: Shown | null = null): PartnerPart => ({ text, does });

/**
 * The sentence of a partner's page, whose parts narrow the page.
 * @param given.customers number of customers that the person may see
 * @param given.since "14:02", when the first trouble started; null: not known
 * @param given.was "at 14:02", when it was so; null: it is so now
 * @param given.unknownFeeds number of feeds that can't be judged at the customers that count as anything else
 */
export function leadParts(
  partner: string,
  counts: StandingCounts,
  {
    customers,
    since,
    was,
    unknownFeeds,
  }: { customers: number; since: string | null; was: string | null; unknownFeeds: number },
): PartnerPart[] {
  const { behind, unseen, on_time: onTime, cannot_judge: unknown, quiet, paused } = counts;
  const total = behind + unseen + onTime + unknown + quiet + paused;
  const then = was === null ? "" : ` ${was}`;
  const is = was === null ? "is" : "was";
  const rest = [
    onTime === 0
      ? null
      : part(`${count(onTime)} ${was === null ? be(onTime) : were(onTime)} on time`, "on_time"),
    unseen === 0
      ? null
      : part(`${count(unseen)} we ${was === null ? "can’t" : "couldn’t"} see`, "unseen"),
    unknown === 0
      ? null
      : part(`${count(unknown)} ${was === null ? "can’t" : "couldn’t"} be judged`),
    quiet === 0 ? null : part(`${count(quiet)} in planned quiet`),
    paused === 0 ? null : part(`${count(paused)} paused`),
  ].filter((one) => one !== null);
  const unjudged =
    unknownFeeds === 0
      ? []
      : [
          part(
            `; ${counted(unknownFeeds, "feed")} ${was === null ? "can’t" : "couldn’t"} be judged`,
          ),
        ];
  const list = rest.flatMap((one, at) => {
    if (at === 0) return [one];
    return one.does === null ? [part(`, ${one.text}`)] : [part(", "), one];
  });
  if (behind > 0) {
    const of = total === customers ? `your ${counted(total, "customer")}` : count(total);
    const all = total === 1 ? "your only customer that has it" : `${count(behind)} of ${of}`;
    const where = total === 1 || total === customers ? all : `${all} customers`;
    return [
      part(`${partner} ${is} behind at `),
      part(where, "behind"),
      part(was === null ? (since === null ? "" : ` since ${since}`) : then),
      ...(list.length === 0 ? [] : [part("; "), ...list]),
      ...unjudged,
    ].filter(({ text }) => text !== "");
  }
  if (onTime === total && total > 0)
    return [
      part(`${partner} ${is} on time at `),
      part(total === 1 ? "your only customer that has it" : `${allOf(total)} customers`, "on_time"),
      ...(then === "" ? [] : [part(then)]),
      ...unjudged,
    ];
  return [part(`${partner} ${is}n’t known to be behind${then}; `), ...list, ...unjudged];
}

const be = (amount: number) => (amount === 1 ? "is" : "are");
const were = (amount: number) => (amount === 1 ? "was" : "were");

/** The tab's title. */
export const tabTitle = (
  partner: string,
  { behind, unseen }: Pick<StandingCounts, "behind" | "unseen">,
  was: string | null,
) =>
  `${partner}: ${[
    `${counted(behind, "customer")} behind`,
    unseen === 0 ? "" : `${was === null ? "can’t" : "couldn’t"} see ${count(unseen)}`,
  ]
    .filter(Boolean)
    .join(", ")}${was === null ? "" : ` ${was}`}`;

export const page = {
  loading: "Loading…",
  loadingThen: "Loading history…",
  notLoaded: "Couldn’t load. Retrying automatically.",
  goneThen: "None of your customers had it then.",
  gone: "None of your customers has it any more.",
  refused: "This can’t be shown.",
  tell: "Tell everyone",
  showAll: "Show all",
  noneNow: "No customer is in this state now.",
  neverChecked: (names: readonly string[], isPast: boolean) => {
    const who = names.length > 3 ? counted(names.length, "customer") : listed([...names]);
    const isOne = names.length === 1;
    if (isPast)
      return `We have no history of ${who} from then, so we don’t know whether ${isOne ? "it" : "they"} had it.`;
    return `${who} ${isOne ? "hasn’t" : "haven’t"} been checked yet, so we don’t know whether ${isOne ? "it has" : "they have"} it.`;
  },
};

export const evidence = {
  heading: "Us or them?",
};

/** The month of a past instant; two where customers have different ones. */
export type PastMonth = {
  /** "Nov", "Oct/Nov" */
  short: string;
  /** "November 2026 before 20 Nov": the day of the instant, before which days count. */
  before: string;
};

/** @param days of the instant, in the time zones of the customers' reports */
export function pastMonth(days: readonly string[]): PastMonth {
  const byMonth = [...groupBy(days, (day) => day.slice(0, 7))];
  const dayText = (day: string) => dayAndMonth(Date.parse(day), "UTC");
  return {
    short: byMonth.map(([month]) => monthName(month).slice(0, 3)).join("/"),
    before: byMonth
      .map(([month, own]) => `${monthAndYear(month)} before ${own.map(dayText).join(" or ")}`)
      .join(", or "),
  };
}

export const rows = {
  label: (partner: string) => `${partner} by customer`,
  verdict: "Verdict",
  customer: "Customer",
  behind: "Behind",
  feeds: "Feeds",
  overdue: "Overdue",
  next: "Next sync",
  since: "Since",
  who: "Who’s on it",
  owner: "Owner",
  copy: "For the customer",
  onTime: (past: PastMonth | null) => `On time, ${past === null ? "month" : past.short}`,
  onTimeNote: (past: PastMonth | null) =>
    `of the time that could be checked on ${past === null ? "this month’s closed days" : `the closed days of ${past.before}`}`,
  share: (some: number, all: number) => `${count(some)} of ${count(all)}`,
  more: (amount: number) => `+${count(amount)}`,
  was: (verdict: string) => `was ${verdict}`,
  unseen: (isPast: boolean) => (isPast ? "Not seen" : "Can’t see"),
  behindThen: (behind: number, feeds: number, at: string, isPast: boolean) =>
    `${behindThenText(behind, feeds)} ${at}; ${isPast ? UNSEEN_AFTER : "we don’t know about now"}`,
  never: (isPast: boolean) => (isPast ? "Not checked by then" : "Not checked yet"),
  cannotJudge: (isPast: boolean) => `None of its feeds ${isPast ? "could" : "can"} be judged`,
  quiet: "In planned quiet",
  overdueHere: " overdue",
  administrators: "administrators",
  /** @param by null: not said */
  told: (by: string | null, at: string) => (by === null ? `Told ${at}` : `Told ${at} by ${by}`),
  percent: (value: number) => `${value.toFixed(1)}%`,
};

export const copyWords = {
  copy: "Copy paragraph",
  label: (customer: string) => `Copy paragraph for ${customer}`,
  copied: "Copied",
  failed: "Couldn’t copy",
};

export const well = {
  heading: (amount: number, isFrozen: boolean) =>
    `${counted(amount, "customer")} ${isFrozen ? were(amount) + " " : ""}on time`,
  note: (past: PastMonth | null) =>
    past === null
      ? "feeds on time, next sync, on time this month until yesterday"
      : `feeds on time, on time in ${past.before}`,
  label: "Customers on time",
  onTime: (some: number, all: number) => `${count(some)} of ${count(all)}`,
  checked: (ago: string) => `last check ${ago}`,
};

export const tellWords = {
  title: (partner: string) => `What to tell customers about ${partner}`,
  hint: "One paragraph for each customer that is behind, in that customer’s time zone. Each is about that customer only.",
  loading: "Writing…",
  notLoaded: "Couldn’t load the paragraphs. Close this and try again.",
  none: "No customer is behind.",
  copy: "Copy",
  all: (amount: number) => `Show all ${count(amount)}`,
  csv: "Download CSV",
  close: "Close",
};

export const foot = {
  keys: "Keyboard shortcuts",
  said: ({ behind, unseen, on_time: onTime }: StandingCounts, isPast: boolean) =>
    [
      `${count(behind)} behind`,
      unseen === 0 ? "" : `${count(unseen)} ${isPast ? "couldn’t" : "can’t"} be seen`,
      `${count(onTime)} on time`,
    ]
      .filter(Boolean)
      .join(", "),
  move: "move",
  open: "open",
  take: "I’m on it",
  copy: "copy paragraph",
  all: "all keys",
};

export const PARTNER_KEYS: KeyWords = [
  ["J, K or arrows", "move from customer to customer"],
  ["Home, End", "go to the first or last customer"],
  ["Enter", "open the partner at this customer"],
  ["A", "say that you’re on it"],
  ["C", "copy the paragraph for this customer"],
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];

/** The list of partners. */
export const list = {
  search: "Find a partner",
  partner: "Partner",
  customers: "Customers",
  behind: "Behind",
  cannotJudge: "Can’t be judged",
  cannotJudgeNote: "customers where none of its feeds can be judged",
  unseen: "Can’t see",
  next: "Next sync",
  since: "Since",
  onTime: "On time, month",
  none: "No partners yet",
  noneText: "None of your customers has a feed that we know of.",
  noMatch: "No partner matches.",
  notLoaded: "Couldn’t load partners. Retrying automatically.",
  /** @param at "at 14:02" */
  silence: (at: string) =>
    `These are the partners as they were ${at}. Nothing newer has arrived; we’re still trying.`,
  noneBehind: "none",
  quiet: (amount: number) => `${count(amount)} quiet`,
  quietNote: "quiet: in a planned quiet time, so what is behind there doesn’t count",
  customersHere: (amount: number) => (amount === 1 ? "customer" : "customers"),
  behindHere: "behind",
  unseenHere: "can’t be seen",
  unknownHere: "can’t be judged",
  pages: {
    label: "Pages",
    back: "Previous",
    on: "Next",
    place: (at: number, pages: number, total: number) =>
      `Page ${count(at)} of ${count(pages)}, ${counted(total, "partner")}`,
  },
};

/**
 * The list of partners as one sentence: "2 of 12 partners behind, worst Procore (9 of 37 customers); 1 has customers that
 * we can’t see", of those on the page.
 */
export function partnersSentence({ data, meta }: PartnersView): string {
  const { page: at, total_pages: pages, total_count: total } = meta;
  if (data.length === 0) return total === 0 ? "none" : `none on page ${count(at)}`;
  const behind = data.filter((one) => one.behind > 0);
  const [worst] = behind;
  const all = counted(data.length, "partner");
  const of = pages > 1 ? `the ${all} on page ${count(at)} of ${count(pages)}` : all;
  const has = (amount: number, what: string) =>
    amount === 0 ? "" : `${count(amount)} ${amount === 1 ? "has" : "have"} customers ${what}`;
  const number = (is: (one: PartnerSummary) => boolean) => data.filter(is).length;
  return [
    worst === undefined
      ? `none of ${of} known to be behind`
      : `${count(behind.length)} of ${of} behind, ${behind.length === 1 ? "" : "worst "}${worst.partner_name} (${count(worst.behind)} of ${counted(worst.companies, "customer")})`,
    has(
      number(({ unseen }) => unseen > 0),
      "that we can’t see",
    ),
    has(
      number(({ cannot_judge: unknown }) => unknown > 0),
      "that can’t be judged",
    ),
    has(
      number(({ quiet }) => quiet > 0),
      "in planned quiet",
    ),
  ]
    .filter(Boolean)
    .join("; ");
}

export const missing = {
  title: "No such partner",
  text: "No customer that you can see is known to have a partner of that name.",
  all: "All partners",
};
export const toldWords = {
  mark: "Mark as told",
  markLabel: (customer: string) => `Mark as told: ${customer}`,
  /** The note that goes with it. */
  note: (partner: string) => `Sent the paragraph about ${partner}.`,
  failed: (customer: string) => `${customer}: couldn’t save the note. Try again.`,
};

export const dayWords = {
  /** @param overdue days with overdue time, of `days` closed ones; `hidden`: days that weren't checked throughout */
  label: (days: number, overdue: number, hidden: number) =>
    `${count(overdue)} of ${count(days)} days with overdue time${hidden === 0 ? "" : `, ${count(hidden)} not fully checked`}`,
};
