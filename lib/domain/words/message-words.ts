import type { MessageIncident, MessageType } from "@/lib/domain/delivery/message";
import { isTrouble, MEMBER_ENDINGS, type MemberEnding } from "@/lib/domain/incidents/incident";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { listed } from "@/lib/domain/text/listed";
import { count, counted, duration } from "./format";
import { zonedMoment } from "./dates";

/** Text of chat messages and mails: every sentence is self-contained, and names its day and zone. */
type When = { atMs: number; timeZone: string };
type Where = { company: string };

const MOST_NAMED = 6;
/** Longer messages aren't read to the end. */
const MOST_LINES = 40;

function fewOf(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `and ${count(more)} more`] : lines;
}

/**
 * "Procore at Northgate is failing: drawings and models. It began at 14:02 UTC on Thu 19 Nov.", or if the members have
 * different verdicts "Procore at Northgate needs attention (failing: drawings; late: models). ..."
 */
export function openedText(incident: MessageIncident, { company, timeZone }: Where & When): string {
  const { partner_name: partner, began_at: began } = incident;
  const since = zonedMoment(Date.parse(began), timeZone);
  const [first, ...others] = byVerdict(incident);
  const isOne = first !== undefined && others.length === 0 && isTrouble(first.key);
  const how = isOne ? `is ${inOne([first])}` : `needs attention (${members(incident)})`;
  return `${partner} at ${company} ${how}. It began ${since}.`;
}

/** "Procore at Northgate got worse (failing: drawings; late: models). ..." */
export function worseText(
  incident: MessageIncident,
  { company, atMs, timeZone }: Where & When,
): string {
  const { partner_name: partner } = incident;
  return `${partner} at ${company} got worse (now ${members(incident)}). ${openFor(incident, atMs, timeZone)}`;
}

export function reminderText(
  incident: MessageIncident,
  { company, atMs, timeZone }: Where & When,
): string {
  const { partner_name: partner } = incident;
  return `${partner} at ${company} still needs attention (${members(incident)}), and no one has acknowledged it. ${openFor(incident, atMs, timeZone)}`;
}

/** Only received data or a completed run is a recovery. Each member is named with its own ending. */
export function endedText(incident: MessageIncident, { company, timeZone }: Where & When): string {
  const { partner_name: partner, ending, began_at: began, ended_at: ended } = incident;
  const beganMs = Date.parse(began);
  const endedMs = ended === null ? beganMs : Date.parse(ended);
  const lasted = duration(Math.max(0, endedMs - beganMs));
  const at = zonedMoment(endedMs, timeZone);
  const said =
    ending === "recovered"
      ? `${partner} at ${company} recovered ${at}`
      : `${partner} at ${company}: the incident ended ${at}`;
  return `${said} (${endings(incident, timeZone)}). It needed attention for ${lasted}.`;
}

/** @param sinceMs null: never seen. @param because the reason, follows a colon; null: unknown */
export function blindText({
  company,
  sinceMs,
  because,
  timeZone,
}: Where & { sinceMs: number | null; because: string | null; timeZone: string }): string {
  const why = because === null ? "" : `: ${because}`;
  const since =
    sinceMs === null ? "yet" : `since ${zonedMoment(sinceMs, timeZone).replace(/^at /, "")}`;
  return `We haven’t been able to see ${company} ${since}${why}. Until we can, we don’t know how its partners are doing.`;
}

/**
 * @param fromMs null: seen for the first time. @param happened what began, ended and got worse meanwhile, one per line;
 *   null: omitted
 */
export function seenAgainText({
  company,
  fromMs,
  untilMs,
  happened,
  timeZone,
}: Where & {
  fromMs: number | null;
  untilMs: number;
  happened: readonly string[] | null;
  timeZone: string;
}): string {
  const at = zonedMoment(untilMs, timeZone);
  const [head, none, some] =
    fromMs === null
      ? [
          `We can see ${company} for the first time ${at}. We don’t know how its partners were doing before.`,
          "No incidents were open then.",
          "Open then:",
        ]
      : [
          `We can see ${company} again ${at}, after ${duration(Math.max(0, untilMs - fromMs))}.`,
          "No incidents began, ended or got worse meanwhile.",
          "Meanwhile:",
        ];
  if (happened === null) return head;
  return happened.length === 0
    ? `${head} ${none}`
    : [`${head} ${some}`, ...fewOf(happened)].join("\n");
}

/** What is open at the end of quiet hours, or when a rule starts. */
export function summaryText({
  company,
  open,
  atMs,
  timeZone,
}: Where & { open: readonly MessageIncident[] } & When): string {
  const head = `${counted(open.length, "incident")} ${open.length === 1 ? "is" : "are"} open at ${company} ${zonedMoment(atMs, timeZone)}:`;
  return [head, ...fewOf(open.map((incident) => lineOf(incident, timeZone)))].join("\n");
}

/** "Procore (failing: drawings; late: models): since 14:02 UTC on Thu 19 Nov, unacknowledged" */
export function lineOf(incident: MessageIncident, timeZone: string): string {
  const { partner_name: partner, began_at: began } = incident;
  const since = zonedMoment(Date.parse(began), timeZone).replace(/^at /, "");
  const who =
    incident.acknowledged === null
      ? "unacknowledged"
      : `acknowledged by ${incident.acknowledged.by}`;
  return `${partner} (${members(incident)}): since ${since}, ${who}`;
}

/** One company in a brief. */
export function briefLine({
  company,
  began,
  ended,
  open,
  unknown,
  removed,
  observed,
}: Where & BriefFacts): string {
  if (observed === "never") return `${company}: not checked yet`;
  const seen = observed >= 1 ? "throughout" : `${Math.floor(observed * 1000) / 10}% of the time`;
  const unjudged = unknown === 0 ? "" : `; ${counted(unknown, "feed")} can’t be judged`;
  const gone = removed === 0 ? "" : `; ${counted(removed, "feed")} removed`;
  return `${company}: ${count(began)} began, ${count(ended)} ended, ${count(open)} open; checked ${seen}${unjudged}${gone}`;
}

/** Events of a company in a period. */
export type BriefFacts = {
  began: number;
  ended: number;
  /** At its end. */
  open: number;
  /** Endpoints with an unknown verdict at its end: they open no incident. */
  unknown: number;
  /** Endpoints that left the source's list in it, and weren't back at its end. */
  removed: number;
  /** 0 to 1: the observed share; `never`: the company hasn't been checked yet. */
  observed: number | "never";
};

/**
 * @param given.isSeen whether all of its companies were observed at its end
 * @param given.partners the partners it covers
 * @param given.isMine whether it covers only the reader's own companies
 * @param given.lines one per company
 */
export function briefText(given: {
  fromMs: number;
  untilMs: number;
  open: number;
  isSeen: boolean;
  partners: "all" | readonly string[];
  isMine: boolean;
  lines: readonly string[];
  timeZone: string;
}): string {
  const { fromMs, untilMs, open, isSeen, partners, isMine, lines, timeZone } = given;
  const [from, until] = [fromMs, untilMs].map((ms) =>
    zonedMoment(ms, timeZone).replace(/^at /, ""),
  );
  const amount = open === 0 ? "No incident" : counted(open, "incident");
  const verb = `${open > 1 ? "are" : "is"}${isSeen ? "" : " known to be"} open`;
  const named = partners === "all" ? "" : ` for ${namesOf(partners)}`;
  const state = `${amount}${isMine ? " of yours" : ""} ${verb}${named}.`;
  if (lines.length === 0) return `${state} You don’t look after any customers.`;
  return [`${state} From ${String(from)} until ${String(until)}:`, ...fewOf(lines)].join("\n");
}

const MESSAGE: Readonly<Record<MessageType, string>> = {
  "incident.opened": "opening message",
  "incident.changed": "update",
  "incident.ended": "closing message",
  "company.blind": "message that we can’t see it",
  "company.seen_again": "message that we can see it again",
  "company.limited": "opening message",
  "company.limited_ended": "closing message",
  "partner.opened": "opening message",
  "partner.changed": "update",
  "partner.ended": "closing message",
  "host.blind": "message that we can’t see it",
  "host.seen_again": "message that we can see it again",
  brief: "summary",
};

/**
 * "Opening message sent to Slack #alerts": a delivery in an incident's timeline.
 * @param given.reminders number of reminders that it stands for, including this last one; 0: it isn't a reminder
 */
export function deliveryText({
  to,
  type,
  reminders,
  state,
  said,
}: {
  to: string;
  type: MessageType;
  reminders: number;
  state: "queued" | "unknown" | "sent" | "failed";
  said: string | null;
}): string {
  const what = reminders === 0 ? MESSAGE[type] : reminderOf(reminders);
  const message = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const why = said === null ? "" : ` ${said}`;
  switch (state) {
    case "sent":
      return `${message} sent to ${to}`;
    case "failed":
      return `${message} couldn’t be sent to ${to}; we gave up.${why}`;
    case "unknown":
      return `${message} may have reached ${to}; we’re trying again.${why}`;
    case "queued":
      return `${message} is waiting to be sent to ${to}.${why}`;
  }
}

const reminderOf = (reminders: number) =>
  reminders === 1 ? "reminder" : `last of ${count(reminders)} reminders`;

export const RULES_OWN = "My alerts";

/** "failing: drawings; late: models and 2 more": each member with its own verdict. */
function members(incident: MessageIncident): string {
  return inOne(byVerdict(incident));
}

/** Members still in trouble or unknown; if there are none, all of them with their last verdict. */
function byVerdict({ members: all }: MessageIncident): Group<Verdict>[] {
  const open = all.filter(({ ended_at: ended }) => ended === null);
  return grouped(open.length === 0 ? all : open, VERDICTS, ({ verdict }) => verdict);
}

/** "data received: drawings and models; paused at the source, no data received: rfis" */
function endings({ members: all }: MessageIncident, timeZone: string): string {
  const named = all.map((member) => {
    const { endpoint_key: key, received_at: received, began_at: began } = member;
    const isLate = received !== null && Date.parse(received) < Date.parse(began);
    const at = isLate ? ` (${zonedMoment(Date.parse(received), timeZone)}, reported late)` : "";
    return { ...member, endpoint_key: key + at };
  });
  const groups = grouped(named, MEMBER_ENDINGS, ({ ending }) => ending);
  return inOne(groups.map(({ key, names }) => ({ key: ENDED[key], names })));
}

/** Why each member's trouble ended, before its name. */
const ENDED: Readonly<Record<MemberEnding, string>> = {
  data_received: "data received",
  run_completed: "run completed",
  paused: "paused at the source, no data received",
  removed: "no longer in the API, no data received",
  became_webhook: "now sent by webhook",
  expected: "planned quiet time began, no data received",
  schedule_changed: "schedule changed, no data received",
  eased: "no longer overdue or failing, no data received",
};

type Group<Key extends string = string> = { key: Key; names: string };
type Named = MessageIncident["members"][number];

/** Members grouped by a key, in the given order; `MOST_NAMED` of them by name, the others counted. */
function grouped<Key extends string>(
  all: readonly Named[],
  order: readonly Key[],
  keyOf: (member: Named) => Key | null,
): Group<Key>[] {
  let left = MOST_NAMED;
  return order.flatMap((key) => {
    const names = all.flatMap((member) => (keyOf(member) === key ? [member.endpoint_key] : []));
    if (names.length === 0) return [];
    const named = left > 0 ? namesOf(names, left) : counted(names.length, "feed");
    left -= names.length;
    return [{ key, names: named }];
  });
}

function inOne(groups: readonly Group[]): string {
  return groups.map(({ key, names }) => `${key}: ${names}`).join("; ");
}

function namesOf(names: readonly string[], most = MOST_NAMED): string {
  const more = names.length - most;
  return listed(more > 0 ? [...names.slice(0, most), `${count(more)} more`] : names);
}

function openFor({ began_at: began }: MessageIncident, atMs: number, timeZone: string): string {
  const beganMs = Date.parse(began);
  return `It began ${zonedMoment(beganMs, timeZone)}, ${duration(Math.max(0, atMs - beganMs))} ago.`;
}
