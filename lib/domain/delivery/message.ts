import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { DayOutcome } from "@/lib/domain/deadlines/deadline";
import type { IncidentEnding, MemberEnding, Trouble } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import { plainName } from "@/lib/domain/text/plain-name";
import { contentText, type MessageContent } from "./message-content";
import type { Several } from "./several";

export const MESSAGE_TYPES = [
  "incident.opened",
  "incident.changed",
  "incident.ended",
  "company.blind",
  "company.seen_again",
  "company.limited",
  "company.limited_ended",
  "partner.opened",
  "partner.changed",
  "partner.ended",
  "host.blind",
  "host.seen_again",
  "promise.at_risk",
  "promise.missed",
  "promise.met",
  "promise.ended",
  "brief",
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Whether a channel that can edit has one message for all of a thread's messages of these types. */
export function isEdited(type: MessageType): boolean {
  return /^(?:incident|partner|promise)\.|^company\.limited/.test(type);
}

/** Whether a message is the last one about its subject. */
export function isEnding(type: MessageType): boolean {
  return type.endsWith("ended") || type === "promise.missed" || type === "promise.met";
}

/** A message as sent to people and, without `content` and `several`, to webhooks. Instants are ISO 8601 in UTC. */
export type Message = {
  /** The same for every attempt to send it. */
  id: string;
  type: MessageType;
  /** When the reported event happened. */
  at: string;
  /** Null: the message is about several companies. */
  company: CompanyName | null;
  incident: MessageIncident | null;
  /** Of `partner.*`. */
  partner_name?: string;
  /** Of `partner.*`. */
  fleet_incident?: MessageFleetIncident;
  /** Slugs of the companies that `company.limited*` and `host.*` are about. */
  companies?: readonly string[];
  /** External ids of those of `companies` that have one, by slug; absent: none has. */
  external_ids?: Readonly<Record<string, string>>;
  /** Of `promise.*`. */
  promise?: MessagePromise;
  /** The page with the details. */
  url: string;
  /** The full text in plain sentences; lines are separated by a line feed. */
  text: string;
  /** What people read, in parts; omitted: `text` is all there is. */
  content?: MessageContent;
  /** What it tells of several companies: kept here, because a person may see fewer of them by the time it is sent. */
  several?: Several;
};

/** A fleet incident as far as the destination's rules cover it. */
export type MessageFleetIncident = {
  id: string;
  companies: {
    /** Slug. */
    company: string;
    /** Absent: it has none. */
    external_id?: string | undefined;
    incident_id: number;
    verdict: Trouble | null;
    since: string;
    ended_at: string | null;
    ending: IncidentEnding | null;
  }[];
};

/** A day of a promise, with its feeds as far as the destination's rules cover them. */
export type MessagePromise = {
  id: string;
  /** "2026-11-26", in the promise's zone. */
  date: string;
  due_at: string;
  /** Those that ask for attention first, at most `MAX_PROMISED`. */
  feeds: {
    endpoint_id: string;
    endpoint_key: string;
    partner_name: string;
    /** As of a `PromisedFeed`; a webhook gets neither `open` nor `unknown`. */
    state: "at_risk" | "open" | "unknown" | DayOutcome | "not_judged";
  }[];
};

/** Feeds of a promise that a webhook gets. */
export const MAX_PROMISED = 100;

/** An incident as it was when the message was written. */
export type MessageIncident = {
  id: number;
  partner_name: string;
  state: "open" | "ended";
  began_at: string;
  opened_at: string;
  ended_at: string | null;
  ending: IncidentEnding | null;
  verdict: Trouble | null;
  worst_verdict: Trouble;
  flaps: number;
  /** Always null: no message is written about an incident that can't be observed. */
  not_observed_since: null;
  acknowledged: { by: string; at: string; until: string | null } | null;
  owner: { id: string; name: string } | null;
  members: {
    endpoint_id: string;
    endpoint_key: string;
    verdict: Verdict;
    began_at: string;
    joined_at: string;
    ended_at: string | null;
    ending: MemberEnding | null;
    /**
     * When the data that ended its trouble was received, possibly before the trouble started; null: no data ended it.
     */
    received_at: string | null;
    /** Of `eased`: by its learned week, it rests at this time. Absent: no. */
    is_resting?: true;
  }[];
};

/** Label of a company's id in another system. */
export const EXTERNAL_ID = "External ID";

/**
 * Completes a message by its content, and by the text that follows from it. Where it is about one company, what people
 * read ends with the company's external id, if it has one.
 */
export function withContent(
  message: Omit<Message, "text" | "content">,
  given: MessageContent,
): Message {
  const id = message.company?.external_id;
  // It may have been completed before.
  const fields = given.fields.filter(({ label }) => label !== EXTERNAL_ID);
  const content =
    id === undefined
      ? given
      : { ...given, fields: [...fields, { label: EXTERNAL_ID, value: plainName(id) }] };
  return { ...message, text: contentText(content), content };
}

/** A customer in a message about several: "Northgate Builders (CRM-7)", or only its name. */
export function nameWithId({
  name,
  external_id: id,
}: Pick<CompanyName, "name" | "external_id">): string {
  return id === undefined ? plainName(name) : `${plainName(name)} (${plainName(id)})`;
}
