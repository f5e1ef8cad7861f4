import type { MessageContent, MessageItem } from "@/lib/domain/delivery/message-content";
import type { Message, MessageIncident } from "@/lib/domain/delivery/message";
import { createReadingClock, type ReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { are } from "@/lib/domain/words/customer/feeds";
import { fullMoment } from "@/lib/domain/words/dates";
import { count, counted, duration } from "@/lib/domain/words/format";
import { membersByVerdict } from "./incident-content";
import { listedUpTo } from "./listed-up-to";
import { capital } from "@/lib/domain/text/capital";

/**
 * Contents of messages about a company, or about several. Instants are epoch milliseconds; names are safe in sentences.
 */

/** Of every message: `writtenMs`: times of another day are dated; `timeZone`: the destination's, an IANA name. */
type Given = { writtenMs: number; timeZone: string; foot: MessageContent["foot"] };
type Company = { company: string };

export const OPEN_PLUMBLINE = "Open in Plumbline";

const clockOf = ({ writtenMs: nowMs, timeZone }: Given) => createReadingClock({ nowMs, timeZone });

/** @param given.sinceMs null: never seen. @param given.because the reason as a clause; null: unknown */
export function blindContent(
  given: Given & Company & { sinceMs: number | null; because: string | null },
): MessageContent {
  const { company, sinceMs, because } = given;
  const since = sinceMs === null ? "yet" : `since ${clockOf(given).at(sinceMs)}`;
  return {
    ...plain(given),
    title: `We haven’t been able to see ${company} ${since}`,
    state: "blind",
    badge: "Can’t see",
    lead: [
      ...(because === null ? [] : [`${capital(because)}.`]),
      "Until we can, we don’t know how its partners are doing.",
    ],
  };
}

/**
 * @param given.fromMs null: seen for the first time. @param given.happened what began, ended and got worse meanwhile, a
 *   line each; null: omitted
 */
export function seenAgainContent(
  given: Given &
    Company & { fromMs: number | null; untilMs: number; happened: readonly string[] | null },
): MessageContent {
  const { company, fromMs, untilMs, happened } = given;
  const clock = clockOf(given);
  const [title, before, none, some] =
    fromMs === null
      ? [
          `We can see ${company} for the first time`,
          `Seen first ${clock.on(untilMs)}. We don’t know how its partners were doing before.`,
          "No incidents were open then.",
          "Open then:",
        ]
      : [
          `We can see ${company} again`,
          `We couldn’t see it from ${clock.at(fromMs)} to ${clock.at(untilMs)} (${duration(Math.max(0, untilMs - fromMs))}).`,
          "No incidents began, ended or got worse meanwhile.",
          "Meanwhile:",
        ];
  const more = happened === null ? [] : [happened.length === 0 ? none : some];
  return {
    ...plain(given),
    title,
    state: "seen_again",
    badge: "Seen again",
    lead: [before, ...more],
    ...lines(happened ?? []),
  };
}

/** What is open at the end of quiet hours, or when a rule starts. */
export function summaryContent(
  given: Given & Company & { open: readonly MessageIncident[]; atMs: number },
): MessageContent {
  const { company, open, atMs } = given;
  const clock = clockOf(given);
  const lead = [`As of ${clock.at(atMs)}.`];
  return {
    ...plain(given),
    title: `${counted(open.length, "incident")} ${are(open.length)} open at ${company}`,
    badge: "Summary",
    lead,
    ...lines(open.map((incident) => incidentLine(incident, clock))),
  };
}

/** Where nothing is open of what a channel was told of; claims nothing about anything else. */
export function nothingOpenContent(given: Given & Company & { atMs: number }): MessageContent {
  const at = clockOf(given).at(given.atMs);
  return {
    ...plain(given),
    title: given.company,
    badge: "Summary",
    lead: [`None of the incidents sent to this channel was open at the last check, ${at}.`],
  };
}

/** "Procore (failing: drawings; late: models): since 14:02, unacknowledged" */
export function incidentLine(incident: MessageIncident, clock: ReadingClock): string {
  const { partner_name: partner, began_at: began, acknowledged } = incident;
  const who = acknowledged === null ? "unacknowledged" : `acknowledged by ${acknowledged.by}`;
  return `${partner} (${membersByVerdict(incident)}): since ${clock.at(Date.parse(began))}, ${who}`;
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

/** One company in a brief. */
export function briefLine({ company, observed, ...facts }: Company & BriefFacts): string {
  if (observed === "never") return `${company}: not checked yet`;
  const { began, ended, open, unknown, removed } = facts;
  const seen = observed >= 1 ? "throughout" : `${Math.floor(observed * 1000) / 10}% of the time`;
  const unjudged = unknown === 0 ? "" : `; ${counted(unknown, "feed")} can’t be judged`;
  const gone = removed === 0 ? "" : `; ${counted(removed, "feed")} removed`;
  return `${company}: ${count(began)} began, ${count(ended)} ended, ${count(open)} open; checked ${seen}${unjudged}${gone}`;
}

/**
 * @param given.isSeen whether all of its companies were observed at its end
 * @param given.partners the partners it covers
 * @param given.isMine whether it covers only the reader's own companies
 * @param given.companies one line each
 */
export function briefContent(
  given: Given & {
    fromMs: number;
    untilMs: number;
    open: number;
    isSeen: boolean;
    partners: "all" | readonly string[];
    isMine: boolean;
    companies: readonly string[];
  },
): MessageContent {
  const { fromMs, untilMs, open, isSeen, partners, isMine, companies } = given;
  const clock = clockOf(given);
  const amount = open === 0 ? "No incident" : counted(open, "incident");
  const verb = `${open > 1 ? "are" : "is"}${isSeen ? "" : " known to be"} open`;
  const named = partners === "all" ? "" : ` for ${listedUpTo(MAX_PARTNERS, partners)}`;
  return {
    ...plain(given),
    title: `${amount}${isMine ? " of yours" : ""} ${verb}${named}`,
    badge: "Brief",
    lead: [
      companies.length === 0
        ? "You don’t look after any customers."
        : `From ${clock.at(fromMs)} until ${clock.at(untilMs)}:`,
    ],
    ...lines(companies),
  };
}

const MAX_PARTNERS = 6;

/** Content without any parts of its own. */
function plain({ writtenMs, timeZone, foot }: Given): MessageContent {
  return {
    title: "",
    state: "neutral",
    badge: "",
    news: [],
    lead: [],
    items: [],
    more: null,
    fields: [],
    paragraph: null,
    written: fullMoment(writtenMs, timeZone),
    open: OPEN_PLUMBLINE,
    foot,
  };
}

/** Longer messages aren't read to the end. */
const MAX_LINES = 40;

function lines(all: readonly string[]): { items: MessageItem[]; more: string | null } {
  const more = all.length - MAX_LINES;
  return {
    items: all.slice(0, MAX_LINES).map((name) => ({ name, state: null, how: "", facts: "" })),
    more: more > 0 ? `And ${count(more)} more.` : null,
  };
}

/** What people read in a message. Of one that is only text, the first line is the title. */
export function contentOf({ content, text }: Pick<Message, "content" | "text">): MessageContent {
  if (content !== undefined) return content;
  const [title = "", ...rest] = text.split("\n");
  const given = { writtenMs: Number.NaN, timeZone: "UTC", foot: [] };
  return { ...plain(given), written: "", title, ...lines(rest) };
}
