import { count, counted } from "@/lib/domain/words/format";

export const incident = {
  heading: (customers: number) => `One incident, ${counted(customers, "customer")}`,
  since: (at: string) => `since ${at}`,
  left: (amount: number) => `${counted(amount, "customer")} recovered or left`,
  next: "next attempt ",
  told: (some: number, all: number) => `${count(some)} of ${count(all)} told`,
  /** @param some how many incidents are acknowledged, of `all` */
  on: (names: string, some: number, all: number) =>
    some >= all ? names : `${names}, ${count(some)} of ${count(all)}`,
  people: (amount: number) => `${count(amount)} people`,
  take: "I’m on it",
  taken: "you’re on it.",
  note: "Add a note",
  handOver: "Hand over",
  timeline: (events: number) => `Timeline (${count(events)})`,
  timelineLabel: "Timeline",
  failed: {
    acknowledge: "couldn’t acknowledge the incident. Try again.",
    unacknowledge: "Couldn’t unacknowledge the incident. Try again.",
  },
  ended: "this incident has already ended.",
  forbidden: "you can’t handle incidents of these customers.",
};

export const chart = {
  /** @param most the most customers that were behind at once; `end`: `isNow` or `unseen` */
  label: (now: number, since: string, most: number, end: string) =>
    `${counted(now, "customer")} behind${end}, at most ${count(most)}, since ${since}`,
  began: (at: string, first: string | null) => (first === null ? at : `${at} ${first} first`),
  acknowledged: (at: string, name: string) => `${at} ${name}`,
  peak: (at: string, companies: number) => `${at} ${counted(companies, "customer")}`,
  /** @param feeds null: not known yet */
  now: (companies: number, feeds: number | null) =>
    feeds === null
      ? counted(companies, "customer")
      : `${counted(companies, "customer")}, ${counted(feeds, "feed")}`,
  isNow: " now",
  /** @param at time of their last check, of several the earliest */
  unseen: (amount: number, at: string) => `${count(amount)} not seen since ${at}`,
  nowTick: (at: string, isNow: boolean) => (isNow ? `${at}, now` : at),
  attempts: (first: string, last: string) =>
    first === last ? `next attempt, ${first}` : `next attempts, ${first} to ${last}`,
};

export const noteWords = {
  title: (partner: string, customers: number) =>
    `Note on ${partner}, ${counted(customers, "customer")}`,
  sentence: "It’s added to the incident of each customer, for colleagues only.",
  note: "Note",
  toldCustomer: "I told all of these customers",
  save: "Add note",
  cancel: "Cancel",
  failed: "Couldn’t save the note. Try again.",
};

export const ownerWords = {
  title: (partner: string) => `Hand over ${partner}`,
  sentence: (customers: number) =>
    `The new owner gets the incidents of ${counted(customers, "customer")}.`,
  owner: "Owner",
  administrators: "Administrators",
  choose: "Choose a person",
  loading: "Loading people…",
  save: "Hand over",
  cancel: "Cancel",
  mayNot: "This person can’t handle incidents of all these customers. Choose someone else.",
  ended: "This incident has already ended.",
  failed: "Couldn’t change the owner. Try again.",
};
