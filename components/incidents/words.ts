import { NOTHING_MATCHES } from "@/components/ui/empty";
import type { IncidentView } from "@/lib/contracts/incidents";
import { count, counted } from "@/lib/domain/words/format";
import type { Order, Shown } from "./incidents-url";

export const CSV = "CSV";
/** Where an address names a time. */
export const onlyNow = {
  said: "Incidents are listed as they are now.",
  link: "See what was wrong at that time",
};
export const INCIDENTS = "Incidents";

export const SHOW_LABEL = "Show";
export const SHOWN_LABEL: Readonly<Record<Shown, string>> = {
  open: "Open",
  unacknowledged: "Unacknowledged",
  mine: "Mine",
  failing: "Failing",
  stale: "Stale",
  late: "Late",
  unknown: "Can’t tell",
  ended: "Ended, 7 days",
};

export const ORDER_LABEL = "Order";
export const ORDER_WORDS: Readonly<Record<Order, string>> = {
  unacknowledged: "Unacknowledged first",
  worst: "Worst first",
  oldest: "Oldest first",
};
export const SEARCH = "Filter incidents";
export const COMPANY = "Customer";
export const ANY_COMPANY = "Any customer";

export const listWords = {
  open: "Open incidents",
  state: "State",
  verdict: "Verdict",
  partner: "Partner",
  partnerAndCompany: "Partner, customer",
  members: "Feeds",
  since: "Since",
  openFor: "Open for",
  overdue: "Overdue",
  next: "Next sync",
  onIt: "Acknowledged by",
  at: "at",
  unacknowledged: "Unacknowledged",
  acknowledged: "Acknowledged",
  cannotTell: "Can’t tell",
  calm: "Settling",
  notKnown: "not known",
  seenAt: (time: string) => `at ${time}, can’t tell now`,
  of: (inTrouble: number, total: number) => `${inTrouble} of ${Math.max(total, inTrouble)}`,
  more: (amount: number) => `+${amount}`,
  unknown: (amount: number) => `${amount} can’t tell`,
  noneInTrouble: "none now",
  sinceTime: (time: string) => `since ${time}`,
};

export const endedWords = {
  heading: "Ended",
  /**
   * What the list has.
   * @param given.total number of ended incidents that pass its filters; null: not known
   * @param given.lately those of the last 7 days; null: not known under these filters
   * @param given.isSearched the open ones are searched
   */
  note: ({
    total,
    lately,
    isSoFar,
    isSearched,
  }: {
    total: number | null;
    lately: number | null;
    isSoFar: boolean;
    isSearched: boolean;
  }) => {
    const all =
      total === null || total === 0 ? "" : `${count(total)} ${isSoFar ? "so far" : "in all"}`;
    const ofWeek = all === "" || lately === null ? "" : `, ${count(lately)} in the past 7 days`;
    return [
      all === "" ? "" : `${all}${ofWeek}.`,
      "Latest first. Only data received or a completed run counts as recovered.",
      isSearched ? "The search only applies to open incidents." : "",
    ]
      .filter(Boolean)
      .join(" ");
  },
  label: "Ended incidents",
  ending: "Ending",
  began: "Began",
  ended: "Ended",
  lasted: "Lasted",
  evidence: "Evidence",
  owner: "Owner",
  administrators: "Administrators",
  more: "Show more",
  members: (amount: number) => `${counted(amount, "feed")}; the last, `,
};

export const none = {
  title: "No open incidents",
  sentence: "When a partner’s data is late, stale or failing, it appears here.",
  titleUnseen: "No open incidents that we know of",
  sentenceUnseen: (names: readonly string[]) =>
    `We ${unseenText(names)}, so there may be some we don’t know about.`,
  noMatch: NOTHING_MATCHES,
  hidden: (amount: number) => `${counted(amount, "open incident")} hidden by the filter.`,
  show: "Show all",
  noneEnded: "No incident has ended yet.",
  noneEndedSoFar: "No ended incidents so far. We’re still loading earlier history.",
  noneEndedHere: `${NOTHING_MATCHES}.`,
  overview: (company: string) => `Overview of ${company}`,
  companies: "All customers",
};

/** @param at "at 14:02" */
export const silence = (at: string) =>
  `These are the incidents as they were ${at}. Nothing newer has arrived; we’re still trying.`;

export const notLoaded = {
  title: "Incidents can’t be loaded",
  sentence: "The database isn’t responding. We’re still trying.",
};

/** "11 open in 7 customers; we can’t see Tarn Airports right now" @param unseen names */
export function summary(open: number, companies: number | null, unseen: readonly string[]): string {
  const of = `${count(open)} open`;
  const all =
    companies === null || companies < 2 || open === 0 ? of : `${of} in ${companies} customers`;
  return unseen.length === 0 ? all : `${all}; we ${unseenText(unseen)}`;
}

/** Of the list's filters, for a statement about it. */
export const chatFilters = ({ show, q }: { show: Shown; q: string }, company: string | null) => [
  ...(company === null ? [] : [company]),
  ...(show === "open" ? [] : [show === "mine" ? "my incidents" : SHOWN_LABEL[show]]),
  // Ended ones aren't searched.
  ...(q === "" || show === "ended" ? [] : [`“${q}”`]),
];

/** "can’t see Tarn Airports right now", "can’t see 3 customers right now" */
export function unseenText([one = "", ...others]: readonly string[]): string {
  return `can’t see ${others.length === 0 ? one : `${count(others.length + 1)} customers`} right now`;
}
export const beyond = (shown: number, open: number) => `Showing the worst ${shown} of ${open}.`;

// One incident.

export const incidentWords = {
  title: (partner: string, company: string) => `${partner} at ${company}: incident`,
  /** Title of the column beside the endpoints. */
  beside: "What to say, and where to look",
  /** @param feeds still in it */
  furthest: (overdue: string, feeds: number) => `${feeds === 1 ? "" : "Up to "}${overdue} overdue`,
  overdue: "overdue",
  bar: "Age against cadence",
  due: "due",
  run: "Last run",
  was: (verdict: string) => `was ${verdict}`,
  notListed: "no longer listed",
  members: "Feeds of this incident",
  endpoint: "Feed",
  age: "Data age",
  joined: "Added",
  recovered: "Recovered",
  left: "Over",
  leftAt: (time: string, why: string) => `at ${time}: ${why}.`,
  inTrouble: (time: string, span: string) => `Needed attention from ${time} for ${span}.`,
  timeline: "Timeline",
  show: "Show",
  gap: (span: string, until: string) => `Not checked for ${span}, until ${until}.`,
  gapOpen: "Not checked since then.",
  began: "Trouble began",
  beganKind: "Began",
};

export const TIMELINE_SHOWN = [
  { value: "all", label: "Everything" },
  { value: "people", label: "People" },
  { value: "events", label: "Events" },
] as const;

export const KIND_WORDS = {
  opened: "Opened",
  joined: "Added",
  worsened: "Worse",
  eased: "Improved",
  left: "Over",
  ended: "Ended",
  flapped: "Back",
  blind: "Can’t see",
  seen_again: "Can see again",
  acknowledged: "Acknowledged",
  unacknowledged: "Unacknowledged",
  owned: "Owner",
  noted: "Note",
  delivered: "Delivery",
} as const;

export const personWords = {
  acknowledged: (until: string | null) =>
    until === null ? "acknowledged it" : `acknowledged it until ${until}`,
  unacknowledged: "unacknowledged it",
  noted: "noted",
  toldCustomer: "told the customer",
  /** @param did the action: "handed it to Ana" */
  owned: (did: string, until: string | null) => (until === null ? did : `${did} until ${until}`),
};

export const handWords = {
  label: "Acknowledged by",
  noOne: "No one yet",
  notAcknowledged: "Not acknowledged",
  youOn: "Acknowledged by you",
  on: (name: string) => `Acknowledged by ${name}`,
  since: (time: string) => `since ${time}`,
  until: (time: string) => `, until ${time}`,
  acknowledge: "I’m on it",
  unacknowledge: "Unacknowledge",
  takeOn: "I’m on it instead",
  untilLabel: "Until",
  untilEnds: "it ends",
  untilHours: (hours: number) => (hours === 1 ? "1 hour from now" : `${hours} hours from now`),
  owner: "Owner",
  administrators: "Administrators",
  note: "Add a note for colleagues",
  toldCustomer: "I told the customer",
  toChannels: "Send to channels",
  addNote: "Add note",
  mayNot: "Members can acknowledge incidents and add notes.",
  ended: "This incident has ended. You can still add notes.",
  failed: {
    acknowledge: "Couldn’t acknowledge the incident. Try again.",
    unacknowledge: "Couldn’t unacknowledge the incident. Try again.",
    own: "Couldn’t change the owner. Try again.",
    note: "Couldn’t save the note. Try again.",
  },
  conflict: "This incident has already ended.",
  forbidden: "You no longer have the right to do this.",
};

export const usWords = {
  heading: "Us or them?",
  checks: "Our checks",
  confidence: { live: "Live", delayed: "Delayed", blind: "Can’t see" },
  unseen: (span: string) => `${span} not checked since it began`,
  limit: "Rate limit",
  limited: ({
    in_trouble: inTrouble,
    with_runs: all,
    rate_limited: limited,
  }: Pick<IncidentView["evidence"], "in_trouble" | "with_runs" | "rate_limited">) => {
    if (inTrouble === 0) return "Nothing to judge by now";
    if (all === 0) return "No run recorded";
    if (limited === 0)
      return `Not reached by the last run${all === 1 ? "" : ` of any of ${count(all)} feeds`}`;
    return `Reached by the last run${all === 1 ? "" : ` of ${count(limited)} of ${counted(all, "feed")}`}`;
  },
  elsewhere: (partner: string) => `${partner} elsewhere`,
  affected: (names: string) => `Also needs attention at ${names}`,
  unaffected: (amount: number) =>
    `no attention needed at ${amount === 1 ? "1 other" : `${amount} others`}`,
  notSeen: (amount: number) => `can’t see ${amount} now`,
  nowhere: "At no other customer that you can see",
  here: "Partners here",
  hereOf: (affected: number, total: number) =>
    total === 0
      ? "No others"
      : `${affected} of ${counted(total, "other")} ${affected === 1 ? "needs" : "need"} attention`,
};

export const thenWords = {
  heading: "Then and now",
  opened: "Opened",
  now: "Now",
  partnerAt: (partner: string, at: string) => `${partner} at ${at}`,
};

// An unknown address.

export const noIncident = {
  title: "No such incident",
  sentence: "The link may be incomplete.",
  all: "All incidents",
};

export const careWords = {
  label: "Customer’s owner",
  owner: (name: string) => `Customer’s owner: ${name}`,
  administrators: "Administrators",
  standsIn: (name: string, until: string) => `${name} is covering until ${until}`,
  refused: "Couldn’t change it. Try again.",
};

export const handOverWords = {
  button: "Hand over",
  title: "Hand over to a colleague",
  sentence: "They look after these customers and your open incidents while you’re away.",
  what: "What you hand over",
  company: (name: string, isOwner: boolean, incidents: number) =>
    isOwner && incidents === 0
      ? name
      : `${name}, ${isOwner ? "with " : "only "}${counted(incidents, "open incident")}`,
  to: "To",
  choose: "Choose a colleague",
  toMissing: "Choose a colleague.",
  noOne: "No colleague has access to all of these",
  until: "Until the morning of",
  /** @param time with its day */
  back: (time: string) => `Everything comes back to you automatically on ${time}.`,
  submit: "Hand over",
  cancel: "Cancel",
  close: "Close",
  loading: "Finding what’s yours…",
  away: "We can’t tell what’s yours: Plumbline isn’t responding. We’re still trying.",
  nothing: "Nothing to hand over: you don’t own any customers or open incidents.",
  doneTitle: "Handed over",
  done: (name: string, until: string, { companies, incidents }: Record<Handed, number>) =>
    `${name} has ${[
      ...(companies > 0 ? [companies === 1 ? "1 customer" : `${count(companies)} customers`] : []),
      ...(incidents > 0 ? [counted(incidents, "open incident")] : []),
    ].join(" and ")} of yours until ${until}.`,
};
type Handed = "companies" | "incidents";

/** Why a handover was refused. @param status of the response; 0: none */
export function handOverRefusal(status: number): string {
  if (status === 409) return "None of these is yours any more. Close this and look again.";
  if (status === 400) return "Your colleague can’t take all of these. Choose someone else.";
  return status === 0
    ? "No answer from Plumbline. Check the incidents before you try again."
    : "Nothing was handed over. Try again.";
}
