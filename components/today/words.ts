import type { KeyWords } from "@/components/list/keys-dialog";
import { leadEnd, type LeadPart } from "@/components/list/lead-sentence";
import { NAME } from "@/components/shell/words";
import type { TodayCounts, TodayPromises } from "@/lib/domain/today/today";
import type { Trouble } from "@/lib/domain/incidents/incident";
import type { SourceReason } from "@/lib/domain/sync";
import { tallyText } from "@/lib/domain/words/deadlines/tally-text";
import { count, counted, moment } from "@/lib/domain/words/format";
import { NO_DATA_TIME, VERDICT_LABEL } from "@/lib/domain/words/labels";
import { behindThenText } from "@/lib/domain/words/trouble-words";
import type { TodayState } from "./today-url";

export const TODAY = "Today";
const SUBJECT = `${NAME} · today`;

/** A part of the sentence. */
export type TodayPart = LeadPart<"all" | "unattended" | "next" | "customers">;

const part = (text: string, does: TodayPart["does"] = null): TodayPart => ({ text, does });

/**
 * The sentence above the list.
 * @param given.customers that are seen
 * @param given.isFiltered some filter applies, so that an empty list says nothing about the rest
 * @param given.hasOthers customers that aren't behind pass the filters and are listed
 * @param given.next "14:26", the next attempt; null: none is scheduled
 * @param given.fresh "12 s ago", the oldest check; null: nothing is seen
 * @param given.was "at 14:02", when it was so; null: it is so now
 */
export function leadParts(
  counts: TodayCounts,
  given: {
    customers: number;
    isFiltered: boolean;
    hasOthers: boolean;
    next: string | null;
    fresh: string | null;
    was: string | null;
  },
): TodayPart[] {
  const { customers, isFiltered, hasOthers, next, fresh, was } = given;
  const { behind, companies_behind: companies, endpoints, judged, unattended } = counts;
  if (behind === 0) {
    if (isFiltered) return [part(hasOthers ? lead.nothingBehind : lead.nothingMatches)];
    if (fresh === null) return [part(was === null ? lead.noneSeen : lead.noneSeenThen)];
    if (judged === 0 && endpoints > 0)
      return [
        part(was === null ? `${lead.noneJudged}; oldest check ${fresh}` : lead.noneJudgedThen),
      ];
    const is = was === null ? "is" : "was";
    const can = was === null ? "can" : "could";
    const of =
      counts.cannot_judge === 0
        ? `${counted(endpoints, "feed")} of ${counted(customers, "customer")}`
        : `the ${counted(judged, "feed")} that ${can} be judged`;
    const none = endpoints === 1 ? `The only feed ${is}n’t behind` : `None of ${of} ${is} behind`;
    return [part(was === null ? `${none}; oldest check ${fresh}` : `${none} ${was}`)];
  }
  const isOne = behind === 1;
  return [
    part(counted(behind, "feed"), "all"),
    part(" of "),
    part(counted(companies, "customer"), "customers"),
    part(
      was === null ? ` ${isOne ? "is" : "are"} behind` : ` ${isOne ? "was" : "were"} behind ${was}`,
    ),
    ...(was === null ? leadEnd(behind, unattended, next) : []),
  ];
}

export const lead = {
  nothingMatches: "Nothing matches",
  nothingBehind: "Nothing behind matches",
  noneSeen: "We can’t see any customer right now",
  noneSeenThen: "We couldn’t see any customer then",
  noHistory: (at: string) => `No history for ${at}`,
  noneJudged: "No feed can be judged",
  noneJudgedThen: "No feed could be judged then",
  loading: "Loading…",
  notLoaded: "Couldn’t load. Retrying automatically.",
  refused: "This can’t be shown",
  /** The tab's title. */
  title: (sentence: string) => `${TODAY}: ${sentence}`,
  /** What is behind, and whom we can’t see, for the tab's title. */
  counted: (
    { behind, companies_behind: companies, unseen_companies: unseen }: TodayCounts,
    { isFiltered, hasOthers, was }: { isFiltered: boolean; hasOthers: boolean; was: string | null },
  ) =>
    [
      behind === 0 && isFiltered
        ? (hasOthers ? lead.nothingBehind : lead.nothingMatches).toLowerCase()
        : behind === 0
          ? "0 feeds behind"
          : `${counted(behind, "feed")} of ${counted(companies, "customer")} behind`,
      unseen === 0 ? "" : `${was === null ? "can’t" : "couldn’t"} see ${count(unseen)}`,
    ]
      .filter(Boolean)
      .join(", ") + (was === null ? "" : ` ${was}`),
  hidden: "Nothing that matches these filters is behind. Other feeds may be.",
  showAll: "Show all",
  more: (amount: number) => `${count(amount)} more`,
  less: "Show less",
  filters: "Filters",
  remove: (filter: string) => `Remove filter: ${filter}`,
  oldFilters: "Applying filters…",
};

/** The second line: what would make the first one too good. Instants and ages are formatted. */
export const notes = {
  unseen: (amount: number, isPast: boolean) =>
    `We ${isPast ? "couldn’t" : "can’t"} see ${counted(amount, "customer")}`,
  unseenOne: (name: string, since: string | null) =>
    since === null ? `: ${name}, not checked yet` : `: ${name}, since ${since}`,
  delayed: (amount: number, age: string) =>
    `${counted(amount, "customer")} delayed, by up to ${age}`,
  cannotJudge: (amount: number, isPast: boolean) =>
    `${counted(amount, "feed")} ${isPast ? "couldn’t" : "can’t"} be judged`,
  quiet: (amount: number) => `${counted(amount, "feed")} in planned quiet`,
};

/**
 * "1 promise at risk: Northgate Builders, Sage 300 commitments by 15:00"; empty for none.
 * @param offsets of the clocks of companies' APIs, milliseconds
 */
export function promisesText(
  { missed, at_risk: atRisk, first }: TodayPromises,
  offsets: Readonly<Record<string, number>>,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  if (first === null) return "";
  const how = tallyText({ missed, atRisk, kept: 0 });
  const offsetMs = offsets[first.company.slug] ?? 0;
  const by = moment(Date.parse(first.promise.due_at) - offsetMs, nowMs, timeZone);
  return `${how}: ${first.company.name}, ${first.partner_name} ${first.endpoint_key} by ${by}`;
}

export const tools = {
  search: "Filter this list",
  order: "Order",
  worst: "Worst first",
  next: "Next sync first",
  whose: "Whose",
  /** @param customers null: not shown */
  all: (customers: number | null) => (customers === null ? "All" : `All, ${count(customers)}`),
  /** @param customers that the person looks after; null: not shown. Of others, only incidents may be theirs: none isn't 0. */
  mine: (customers: number | null) =>
    customers === null || customers === 0 ? "Mine" : `Mine, ${count(customers)}`,
};

export const filterWords = {
  partner: (name: string) => `Partner: ${name}`,
  owner: (name: string) => `Owner: ${name}`,
  someone: "one person",
  mine: "my customers",
  unattended: "No one on it",
  verdict: (words: readonly Trouble[]) =>
    words
      .toReversed()
      .map((word) => VERDICT_LABEL[word])
      .join(", "),
};

/**
 * Subject of a statement for a chat: the page, and the filters that its numbers have.
 * @param owner name of the filtered owner; null: unknown
 */
export function chatSubject(
  { partner, owner: ownerId, mine, unattended, verdict, q }: Omit<TodayState, "order" | "at">,
  owner: string | null,
): string {
  return [
    SUBJECT,
    partner ?? "",
    ownerId === null ? "" : filterWords.owner(owner ?? filterWords.someone),
    mine ? filterWords.mine : "",
    unattended ? filterWords.unattended : "",
    verdict === null ? "" : filterWords.verdict(verdict),
    q === "" ? "" : `“${q}”`,
  ]
    .filter(Boolean)
    .join(" · ");
}

export const head = {
  label: (order: "worst" | "next") =>
    `Behind, ${order === "worst" ? "worst first" : "next sync first"}`,
  verdict: "Verdict",
  customer: "Customer",
  feed: "Partner / feed",
  age: "Data age",
  bar: "Data age against when it was due",
  due: "due",
  overdue: "Overdue",
  next: "Next sync",
  since: "Since",
  who: "Who’s on it",
  acts: "Actions",
};

export const lineWords = {
  sinceOnCard: "since ",
  /** @param all customers that the person may see; null while filtered */
  customers: (companies: number, all: number | null) =>
    all === null
      ? counted(companies, "customer")
      : `${count(companies)} of ${counted(all, "customer")}`,
  feeds: (amount: number) => `${counted(amount, "feed")}: `,
  more: (amount: number) => `+${count(amount)}`,
  was: (verdict: Trouble) => `was ${verdict}`,
  noData: NO_DATA_TIME,
  barLabel: (age: string, due: string) => `${age} old, due at ${due}`,
  overdueHere: " overdue",
  acknowledged: (name: string, some: number, all: number) =>
    `${name}, ${count(some)} of ${count(all)}`,
  people: (amount: number) => `${count(amount)} people`,
  opensAt: (at: string) => `incident at ${at} if this continues`,
  opensSoon: "no incident yet",
  promised: "Promised",
  /** After the names of the feed and, on a line of several, of its customer. */
  promisedHere: "promised",
  toggle: (what: string, isOpen: boolean) => `${isOpen ? "Collapse" : "Expand"} ${what}`,
};

export const acts = {
  tellMany: "Tell customers",
  toldMany: (told: number, all: number) => `${count(told)} of ${count(all)} told`,
  none: "No open incident here.",
  taken: (names: readonly string[]) => `Already acknowledged by ${names.join(", ")}.`,
  partly: "Part of it is acknowledged. Expand the line to acknowledge the rest.",
  onLine: "Acknowledge it in its incident’s line.",
  forbidden: "You can’t handle incidents of this customer.",
  past: "Incidents can only be acknowledged in the live view.",
};

const BECAUSE: Readonly<Record<SourceReason, string>> = {
  unreachable: "no answer from its API",
  rate_limited: "its API limits our requests",
  unauthorized: "its API rejected our credentials",
  forbidden: "its API refused our requests",
  invalid_response: "its API sent an invalid response",
  starting: "the first check is running",
  disconnected: "its connection is paused",
  secret_unreadable: "the secret for its API can’t be decrypted",
};

export const unseenWords = {
  badge: (isPast: boolean) => (isPast ? "Not seen" : "Can’t see"),
  because: (reason: SourceReason | null, isPast: boolean) => {
    if (isPast)
      return reason === null ? "We couldn’t see it." : `We couldn’t see it: ${BECAUSE[reason]}.`;
    return reason === null ? "We can’t see it right now." : `We can’t see it: ${BECAUSE[reason]}.`;
  },
  /** @param at "at 13:52" */
  behindThen: (behind: number, endpoints: number, at: string) =>
    `${behindThenText(behind, endpoints)} ${at}`,
  never: (isPast: boolean) => (isPast ? "Not checked by then" : "Not checked yet"),
  /** Of a past instant that is before the history of the company. */
  noHistory: "No history",
  neverThen: "We have no history of it from then",
};

export const cannotJudgeWords = {
  badge: "Unknown",
  sentence: (endpoints: number, isFiltered: boolean, isPast: boolean) => {
    if (endpoints === 0) return isPast ? "It had no feeds then" : "No feeds at the last check";
    return `None of ${isFiltered ? "the matching" : "its"} feeds ${isPast ? "could" : "can"} be judged`;
  },
};

export const wellWords = {
  heading: (amount: number, isFrozen: boolean) => {
    const customers = counted(amount, "customer");
    if (!isFrozen) return `${customers} on time`;
    return `${customers} ${amount === 1 ? "was" : "were"} on time`;
  },
  note: "due counts as on time; paused and webhook feeds don’t count",
  label: "Customers on time",
  customer: "Customer",
  feeds: "Feeds",
  next: "Next sync",
  checked: "Last check",
  owner: "Owner",
  onTime: (onTime: number, counted_: number) => `${count(onTime)} of ${count(counted_)} on time`,
  administrators: "administrators",
  ownerLabel: (name: string) => `Only customers owned by ${name}`,
};

/** While the past loads. */
export const LOADING_THEN = "Loading history…";

export const foot = {
  keys: "Keyboard shortcuts",
  /** @param given.isFiltered then what is hidden may be behind, and nothing is said to be on time */
  said: (
    lines: number,
    unseen: number,
    well: number,
    { isFiltered, isPast }: { isFiltered: boolean; isPast: boolean },
  ) =>
    [
      isFiltered
        ? `${counted(lines, "line")} ${lines === 1 ? "matches" : "match"}`
        : `${counted(lines, "line")} behind`,
      unseen === 0 ? "" : `${count(unseen)} ${isPast ? "couldn’t" : "can’t"} be seen`,
      isFiltered ? "" : `${count(well)} on time`,
    ]
      .filter(Boolean)
      .join(", "),
  move: "move",
  open: "open",
  take: "I’m on it",
  tell: "tell customer",
  all: "all keys",
};

export const TODAY_KEYS: KeyWords = [
  ["J, K or arrows", "move from line to line"],
  ["Home, End", "go to the first or last line"],
  ["Enter", "open the incident or feed; expand or collapse a partner"],
  ["A", "acknowledge the open incident of this line: you’re on it"],
  ["T", "tell the customer"],
  ["N", "next sync first, or worst first"],
  ["1 to 3", "show only failing, stale or late"],
  ["0", "show all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filters; in the search field, only its text"],
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];
