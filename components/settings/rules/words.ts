import type { ProofWords } from "@/components/session/proof";
import type { Rehearsal, RuleView } from "@/lib/contracts/delivery";
import type { MessageType } from "@/lib/domain/delivery/message";
import type { RulePromises } from "@/lib/domain/delivery/rule";
import type { Trouble } from "@/lib/domain/incidents/incident";
import type { Weekday } from "@/lib/domain/time/weekdays";
import { zoneCity } from "@/lib/domain/time/zone-name";
import { daysText } from "@/lib/domain/words/deadlines/promise-days";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { count, counted, duration } from "@/lib/domain/words/format";
import type { Lack } from "./draft";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

export const RULES = "Rules";
export const ADD = "Add a rule";

export const noAccess = {
  title: "You can’t manage rules",
  sentence: "Only administrators can. Your own alerts are under My alerts.",
};

export const headline = (rules: number) => (rules === 0 ? "No rules" : counted(rules, "rule"));
export const SUBLINE = "Which incidents go where, and when.";

export const listHead = {
  name: "Rule",
  about: "Customers and partners",
  when: "Sends",
  to: "To",
  also: "Also",
  actions: "Actions",
};

export const actions = { edit: "Edit" };

/** Of a rule whose channels were all removed. */
export const NOWHERE = "Nowhere: no channel";

const MAX_NAMED = 2;

/** "All customers", "Northgate, Harbour", "Northgate, Harbour and 3 more"; "None" once all of them were forgotten. */
export function namesText(names: "all" | readonly string[], all: string): string {
  if (names === "all") return all;
  if (names.length === 0) return "None";
  const more = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(", ");
  return more > 0 ? `${named} and ${count(more)} more` : named;
}
export const ALL_COMPANIES = "All customers";
export const ALL_PARTNERS = "All partners";

/** "Stale and worse, after 15 m, only unacknowledged" */
export function whenText(
  rule: Pick<RuleView, "from_verdict" | "after_minutes" | "unacknowledged_only">,
): string {
  const from = FROM_TEXT[rule.from_verdict];
  const after = rule.after_minutes > 0 ? `, after ${duration(rule.after_minutes * MINUTE_MS)}` : "";
  return `${from}${after}${rule.unacknowledged_only ? ", only unacknowledged" : ""}`;
}
const FROM_TEXT: Readonly<Record<Trouble, string>> = {
  late: "Late and worse",
  stale: "Stale and worse",
  failing: "Failing",
};

/** "reminder every 4 h", "quiet 22:00–06:00 on workdays (Oslo)", "brief at 08:00 (Oslo)" */
export function alsoTexts({
  remind_every_minutes: every,
  promises,
  quiet,
  brief,
}: Pick<RuleView, "remind_every_minutes" | "promises" | "quiet" | "brief">): string[] {
  return [
    ...(promises === "none" ? [] : [ALSO_PROMISES[promises]]),
    ...(every === null ? [] : [`Reminder every ${reminderText(every)}`]),
    ...(quiet === null
      ? []
      : [`Quiet ${quiet.from}–${quiet.until}${onDays(quiet)} (${zoneCity(quiet.time_zone)})`]),
    ...(brief === null
      ? []
      : [`Brief at ${brief.at}${onDays(brief)} (${zoneCity(brief.time_zone)})`]),
  ];
}

/** " on workdays", " on Mon and Tue"; empty for every day. */
const onDays = ({ days }: { days: readonly Weekday[] }) =>
  days.length === 7 ? "" : ` ${daysText({ days })}`;

const ALSO_PROMISES = {
  missed: "Missed promises",
  at_risk: "Promises at risk and missed",
} as const;

export const listWords = {
  none: {
    title: "No rules yet",
    sentence: "A rule says which incidents are sent to which channels.",
  },
  notLoaded: { title: "Couldn’t load the rules", sentence: "Retrying automatically." },
};
export const noRule = {
  title: "No such rule",
  sentence: "It may have been deleted.",
  back: "All rules",
};

// Form.

export const formWords = {
  add: "Add a rule",
  edit: "Edit rule",
  sentence:
    "Changes apply as soon as you save. Incidents already announced still get their closing message.",
  name: "Name",
  nameExample: "Northgate, stale and worse",
  companies: "Customers",
  partners: "Partners",
  all: "All, including new ones",
  addCompany: "Add a customer",
  addPartner: "Add a partner",
  addChannel: "Add a channel",
  remove: (name: string) => `Remove ${name}`,
  when: "When it is",
  orWorse: "or worse, for at least",
  minutes: "minutes",
  minutesLabel: "For at least, minutes",
  only: "Only",
  unacknowledged: "Unacknowledged",
  mine: "Mine",
  sendTo: "Send to",
  sendHint: "One message per incident and channel. Each one is followed up when the incident ends.",
  noChannels: "There are no channels yet.",
  toChannels: "Add one under Channels.",
  remind: "Remind",
  every: "every",
  until: "until someone acknowledges",
  promises: "Promises",
  promisesHint:
    "One message per promise and day, for the feeds of these customers and partners. It’s followed up with the outcome.",
  quiet: "Quiet hours",
  quietOn: "Hold messages",
  quietDays: "Quiet hours start on",
  from: "From",
  to: "To",
  quietHint: "Messages are held, then sent as one summary of what’s still open.",
  brief: "Brief",
  briefOn: "Send a brief",
  briefDays: "Brief on",
  at: "At",
  briefHint: "Sent even when all is well. It includes how much of the time we could check.",
  zone: "Time zone",
  save: "Save rule",
  cancel: "Cancel",
  delete: "Delete rule",
};

export const VERDICT_CHOICES = (["late", "stale", "failing"] as const).map((value) => ({
  value,
  label: VERDICT_LABEL[value],
}));

export const PROMISE_CHOICES = [
  { value: "none", label: "None" },
  { value: "missed", label: "Missed" },
  { value: "at_risk", label: "At risk and missed" },
] as const satisfies readonly { value: RulePromises; label: string }[];

/** Selectable reminder intervals, minutes. */
export const REMINDERS = [15, 30, 60, 120, 240, 480, 1440] as const;
export const reminderText = (minutes: number) =>
  minutes % 60 === 0 ? `${minutes / 60} h` : duration(minutes * MINUTE_MS);

export const DAY_LETTER: Readonly<Record<Weekday, string>> = {
  mon: "M",
  tue: "T",
  wed: "W",
  thu: "T",
  fri: "F",
  sat: "S",
  sun: "S",
};
export const DAY_NAME: Readonly<Record<Weekday, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

export const LACK_TEXT: Readonly<Record<Lack, string>> = {
  name: "Give the rule a name.",
  companies: "Choose a customer, or all.",
  partners: "Choose a partner, or all.",
  minutes: "“For at least” must be whole minutes, up to 10,080 (one week).",
  channels: "Choose a channel.",
  "quiet days": "Choose a day for the quiet hours.",
  "quiet hours": "Quiet hours need a start and a different end.",
  "brief days": "Choose a day for the brief.",
  "brief time": "Choose when the brief is sent.",
};

export const deleteDialog = (name: string) => ({
  title: `Delete ${name}?`,
  children:
    "It won’t announce anything new. Incidents already announced still get their closing message.",
  keep: "Keep rule",
  act: "Delete rule",
});

export const proofWords: Readonly<Record<"save" | "delete", ProofWords>> = {
  save: { act: "save a rule", untouched: "Nothing has been changed yet." },
  delete: { act: "delete a rule", untouched: "Nothing has been deleted yet." },
};

/** Why a request failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Your request may have gone through.";
  if (status === 400) return "Something here isn’t valid. Check the channels and the times.";
  if (status === 403) return "Your role doesn’t allow this.";
  if (status === 404) return "This rule is no longer there.";
  if (status === 409) return "There are too many rules. Delete one first.";
  return "Couldn’t save this. Try again.";
}

// Rehearsal.

export const rehearsalWords = {
  label: "Rehearsal",
  /** @param days covered by the rehearsal */
  title: (messages: number, days: number) =>
    `Would have sent ${messages === 0 ? "nothing" : counted(messages, "message")} in the past ${counted(days, "day")}`,
  idle: "Complete the form to see what it would have sent.",
  busy: "Checking the past 30 days…",
  failed: "Couldn’t check the past 30 days.",
  again: "Try again",
  latest: (shown: number) => `The latest ${count(shown)} are listed.`,
  /** @param to "each channel"; `types`: "8 opened, 3 ended" */
  each: (to: string, types: string) => `To ${to}: ${types}.`,
  channels: "each channel",
  /** Of what isn't counted. */
  between: "Slack apps and signed webhooks also get the changes in between.",
  bars: (messages: number, from: string, until: string) =>
    `${counted(messages, "message")}, ${from} to ${until}`,
  today: "today",
  list: "Messages it would have sent",
  /** Of what is only for customers of one's own, without any. */
  noneOwn:
    "You neither own a customer nor cover for one, so only incidents that you own or acknowledge would have counted.",
  all: "Include all customers",
};

/** What a rehearsal counts a message as. A summary is of one customer, a brief of all of the rule's. */
type Counted = MessageType | "reminder" | "summary";
function countedAs(message: Rehearsal["messages"][number]): Counted {
  if (message.is_reminder === true) return "reminder";
  return message.type === "brief" && message.company !== null ? "summary" : message.type;
}

const TYPE_COUNTED: Readonly<Record<Counted, [one: string, several: string]>> = {
  "incident.opened": ["opened", "opened"],
  "incident.changed": ["changed", "changed"],
  "incident.ended": ["ended", "ended"],
  reminder: ["reminder", "reminders"],
  "company.blind": ["lost-visibility message", "lost-visibility messages"],
  "company.seen_again": ["restored-visibility message", "restored-visibility messages"],
  "company.limited": ["rate limit at a customer", "rate limits at customers"],
  "company.limited_ended": ["rate limit ended", "rate limits ended"],
  "partner.opened": ["opened at several customers", "opened at several customers"],
  "partner.changed": ["changed at several customers", "changed at several customers"],
  "partner.ended": ["ended at several customers", "ended at several customers"],
  "host.blind": ["lost visibility of several customers", "lost visibility of several customers"],
  "host.seen_again": [
    "restored visibility of several customers",
    "restored visibility of several customers",
  ],
  "promise.at_risk": ["promise at risk", "promises at risk"],
  "promise.missed": ["promise missed", "promises missed"],
  "promise.met": ["promise kept after a warning", "promises kept after a warning"],
  "promise.ended": ["promise not counted after a warning", "promises not counted after a warning"],
  summary: ["summary of open incidents", "summaries of open incidents"],
  brief: ["brief", "briefs"],
};

/** "8 opened, 3 changed, 30 briefs"; empty for none. */
export function typesText({ messages }: Rehearsal): string {
  return Object.entries(TYPE_COUNTED)
    .map(
      ([type, words]) => [messages.filter((one) => countedAs(one) === type).length, words] as const,
    )
    .filter(([amount]) => amount > 0)
    .map(([amount, [one, several]]) => `${count(amount)} ${amount === 1 ? one : several}`)
    .join(", ");
}

/** What a listed message is. */
export const messageLabel = (message: Rehearsal["messages"][number]) =>
  TYPE_LABEL[countedAs(message)];
const TYPE_LABEL: Readonly<Record<Counted, string>> = {
  reminder: "reminder",
  "incident.opened": "opened",
  "incident.changed": "changed",
  "incident.ended": "ended",
  "company.blind": "can’t see",
  "company.seen_again": "can see again",
  "company.limited": "rate limited",
  "company.limited_ended": "rate limit ended",
  "partner.opened": "opened",
  "partner.changed": "changed",
  "partner.ended": "ended",
  "host.blind": "can’t see",
  "host.seen_again": "can see again",
  "promise.at_risk": "promise at risk",
  "promise.missed": "promise missed",
  "promise.met": "promise kept",
  "promise.ended": "promise not counted",
  summary: "summary",
  brief: "brief",
};
/** Finds a company's name by its slug. */
export const nameIn = (companies: readonly { slug: string; name: string }[]) => (slug: string) =>
  companies.find((one) => one.slug === slug)?.name ?? slug;

/** Length of a period, at least 1. */
export const daysOf = ({ since, until }: Pick<Rehearsal, "since" | "until">) =>
  Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS));

export const at = (company: string) => `at \u2068${company}\u2069`;

// Personal alerts.

export const alertsWords = {
  title: "My alerts",
  on: "Your alerts are on. They reach only you.",
  off: "Your alerts are off.",
  noAccess: {
    title: "Alerts are for members",
    sentence: "Ask an administrator for member access.",
  },
  empty: {
    title: "No alerts yet",
    sentence: (canMail: boolean) =>
      `Get notified about incidents in your Plumbline inbox${canMail ? ", and by email" : ""}.`,
    start: "Set up my alerts",
  },
  inbox: "Inbox",
  mail: "Email",
  noMail: "Email isn’t set up in Plumbline.",
  sendHint: "One message per incident. Each one is followed up when the incident ends.",
  mineHint:
    "Mine: incidents you own or acknowledged, and all incidents of customers you own or cover for.",
  nowhere: "Choose Inbox or Email.",
  /** Recipient in the rehearsal. */
  you: "you",
  both: "your inbox, and the same by email",
  save: "Save alerts",
  turnOff: "Turn off",
  saved: "Saved.",
  /** After a suggestion was put into the form. */
  used: "Changed in the form. Save to apply it.",
  turnedOff: "Turned off. Incidents you were already told about still get their closing message.",
  notLoaded: {
    title: "Couldn’t load your alerts",
    sentence: "Retrying automatically.",
  },
  noMailNow: "Email isn’t set up, so alerts can’t be emailed.",
};
