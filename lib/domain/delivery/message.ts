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

/** A message as sent to people and, as JSON, to webhooks. Instants are ISO 8601 in UTC. */
export type Message = {
  /** The same for every attempt to send it. */
  id: string;
  type: MessageType;
  /** When the reported event happened. */
  at: string;
  /** Null: the message is about several companies. */
  company: { slug: string; name: string } | null;
  incident: MessageIncident | null;
  /** The page with the details. */
  url: string;
  /** The full text in plain sentences; lines are separated by a line feed. */
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
  }[];
};
