import type { MessageIncident, MessageType } from "@/lib/domain/delivery/message";
import { isTrouble, type MemberEnding } from "@/lib/domain/incidents/incident";
import { listed } from "@/lib/domain/text/listed";
import { count, counted, duration } from "./format";
import { zonedMoment } from "./dates";
import { ENDING_SENTENCE } from "./incident-words";

/** What people are told where they are, in chats and mails: every sentence stands by itself, and names its day and zone. */
type When = { atMs: number; timeZone: string };
type Where = { company: string };

const MOST_NAMED = 3;
/** Beyond it nobody reads a message. */
const MOST_LINES = 40;

function fewOf(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `and ${count(more)} more`] : lines;
}

/** "Procore at Northgate is failing: drawings and models. It began at 14:02 UTC on Thu 19 Nov." */
export function openedText(incident: MessageIncident, { company, timeZone }: Where & When): string {
  const { partner_name: partner, verdict, worst_verdict: worst, began_at: began } = incident;
  const since = zonedMoment(Date.parse(began), timeZone);
  return `${partner} at ${company} is ${verdict ?? worst}: ${members(incident)}. It began ${since}.`;
}

/** "Procore at Northgate got worse: it is failing now. ..." */
export function worseText(
  incident: MessageIncident,
  { company, atMs, timeZone }: Where & When,
): string {
  const { partner_name: partner, verdict, worst_verdict: worst } = incident;
  return `${partner} at ${company} got worse: it is ${verdict ?? worst} now (${members(incident)}). ${openFor(incident, atMs, timeZone)}`;
}

export function reminderText(
  incident: MessageIncident,
  { company, atMs, timeZone }: Where & When,
): string {
  const { partner_name: partner, verdict, worst_verdict: worst } = incident;
  return `${partner} at ${company} is still ${verdict ?? worst} (${members(incident)}), and nobody is on it. ${openFor(incident, atMs, timeZone)}`;
}

/** Only data that arrived, or a run that completed, is a recovery. */
export function endedText(incident: MessageIncident, { company, timeZone }: Where & When): string {
  const { partner_name: partner, ending, began_at: began, ended_at: ended } = incident;
  const beganMs = Date.parse(began);
  const endedMs = ended === null ? beganMs : Date.parse(ended);
  const lasted = duration(Math.max(0, endedMs - beganMs));
  const at = zonedMoment(endedMs, timeZone);
  return ending === "recovered"
    ? `${partner} at ${company} recovered ${at}: ${evidence(incident)}. It needed attention for ${lasted}.`
    : `${partner} at ${company}: the incident ended ${at}, ${ENDING_SENTENCE[ending ?? "mixed"]}. It needed attention for ${lasted}.`;
}

/** @param sinceMs null: we never could. @param because why, to follow a colon; null: it isn't known */
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

/** @param fromMs null: it is the first time. @param happened what began, ended and got worse meanwhile, a line each; null: it isn't said */
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

/** What is open when quiet hours end, or when a rule begins. */
export function summaryText({
  company,
  open,
  atMs,
  timeZone,
}: Where & { open: readonly MessageIncident[] } & When): string {
  const head = `${counted(open.length, "incident")} ${open.length === 1 ? "is" : "are"} open at ${company} ${zonedMoment(atMs, timeZone)}:`;
  return [head, ...fewOf(open.map((incident) => lineOf(incident, timeZone)))].join("\n");
}

/** "Procore: failing since 14:02 UTC on Thu 19 Nov, nobody is on it" */
export function lineOf(incident: MessageIncident, timeZone: string): string {
  const { partner_name: partner, verdict, worst_verdict: worst, began_at: began } = incident;
  const since = zonedMoment(Date.parse(began), timeZone).replace(/^at /, "");
  const who =
    incident.acknowledged === null ? "nobody is on it" : `${incident.acknowledged.by} is on it`;
  return `${partner}: ${verdict ?? worst} since ${since}, ${who}`;
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
  const unjudged = unknown === 0 ? "" : `; ${counted(unknown, "endpoint")} can’t be judged`;
  const gone = removed === 0 ? "" : `; ${counted(removed, "endpoint")} removed`;
  return `${company}: ${count(began)} began, ${count(ended)} ended, ${count(open)} open; observed ${seen}${unjudged}${gone}`;
}

/** What happened in a company in a stretch of time. */
export type BriefFacts = {
  began: number;
  ended: number;
  /** At its end. */
  open: number;
  /** Endpoints that we couldn't judge at its end: they open no incident. */
  unknown: number;
  /** Endpoints that left the source's list in it, and were not back at its end. */
  removed: number;
  /** 0 to 1: how much of it we saw; `never`: nobody has looked at the company yet. */
  observed: number | "never";
};

/**
 * @param given.isSeen whether we could see all of its companies at its end
 * @param given.partners those that it is about
 * @param given.isMine whether it is about what whoever reads it looks after
 * @param given.lines of its companies
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
  if (lines.length === 0) return `${state} You don’t look after any company.`;
  return [`${state} From ${String(from)} until ${String(until)}:`, ...fewOf(lines)].join("\n");
}

const MESSAGE: Readonly<Record<MessageType, string>> = {
  "incident.opened": "opening message",
  "incident.changed": "update",
  "incident.ended": "closing message",
  "company.blind": "message that we can’t see it",
  "company.seen_again": "message that we can see it again",
  brief: "summary",
};

/**
 * "Opening message sent to Slack #alerts": a delivery in an incident's timeline.
 * @param given.reminders how many reminders it stands for, itself the last of them; 0: it is none
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

/** "drawings, models and 3 more (5 endpoints)" */
function members({ members: all }: MessageIncident): string {
  const inTrouble = all.filter(
    ({ verdict, ended_at: ended }) => ended === null && isTrouble(verdict),
  );
  return namesOf((inTrouble.length === 0 ? all : inTrouble).map(({ endpoint_key: key }) => key));
}

function namesOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return listed(more > 0 ? [...names.slice(0, MOST_NAMED), `${count(more)} more`] : names);
}

const EVIDENCE: Partial<Record<MemberEnding, string>> = {
  data_received: "data received",
  run_completed: "run completed",
};

/** "data received for all 3 endpoints" */
function evidence({ members: all }: MessageIncident): string {
  const seen = [
    ...new Set(all.flatMap(({ ending }) => (ending === null ? [] : (EVIDENCE[ending] ?? [])))),
  ];
  const of =
    all.length === 1 ? (all[0]?.endpoint_key ?? "") : `all ${counted(all.length, "endpoint")}`;
  return `${seen.join(" or ")} for ${of}`;
}

function openFor({ began_at: began }: MessageIncident, atMs: number, timeZone: string): string {
  const beganMs = Date.parse(began);
  return `It began ${zonedMoment(beganMs, timeZone)}, ${duration(Math.max(0, atMs - beganMs))} ago.`;
}
