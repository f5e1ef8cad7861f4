import type { IncidentEnding, MemberEnding, Trouble } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";

export const MESSAGE_TYPES = [
  "incident.opened",
  "incident.changed",
  "incident.ended",
  "company.blind",
  "company.seen_again",
  "brief",
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** What people and machines are told, in the form in which a webhook gets it. Instants are ISO 8601 in UTC. */
export type Message = {
  /** Stays the same however often it is sent. */
  id: string;
  type: MessageType;
  /** When what it tells happened. */
  at: string;
  /** Null: it is about several. */
  company: { slug: string; name: string } | null;
  incident: MessageIncident | null;
  /** The page that says more. */
  url: string;
  /** All that it says, in plain sentences; lines are separated by a line feed. */
  text: string;
};

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
  /** Null: nothing is written while we can't see. */
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
    /** When the data was received that ended its trouble, which may be before that began; null: none did. */
    received_at: string | null;
  }[];
};
