import { z } from "zod";
import { ExternalId } from "./companies/company-name";
import { INCIDENT_ENDINGS, IncidentsMeta } from "./incidents";

/**
 * The JSON of fleet incidents: one partner in trouble at several companies at once. Everything but `id` is computed
 * from the companies that the caller may see. Instants are ISO 8601; those of people's actions are on our clock, all
 * others on the API's.
 */

/** `alone`: its incident was still open when the fleet incident ended without it. */
const FLEET_COMPANY_STATES = ["open", "ended", "alone"] as const;
const FLEET_TIMELINE_KINDS = [
  "opened",
  "joined",
  "left",
  "blind",
  "seen_again",
  "alone",
  "ended",
  "acknowledged",
  "unacknowledged",
  "owned",
  "noted",
] as const;

const FleetCompany = z.object({
  /** Slug. */
  company: z.string(),
  external_id: ExternalId,
  /** Its latest incident in the fleet incident. */
  incident_id: z.int(),
  state: z.enum(FLEET_COMPANY_STATES),
  /** Of that incident; null while it is open. */
  ended_at: z.string().nullable(),
  ending: z.enum(INCIDENT_ENDINGS).nullable(),
});

const FleetTimelineEvent = z.object({
  at: z.string(),
  kind: z.enum(FLEET_TIMELINE_KINDS),
  /** Slug; null: about all of them (`opened` and `ended`). */
  company: z.string().nullable(),
  external_id: ExternalId,
  /** Name at that time of the person who acted; null: an observation. */
  by: z.string().nullable(),
  /** The event as a sentence; of people what they did, following their name, and of `noted` their note. */
  text: z.string(),
});

/** `GET /api/fleet-incidents/[id]`. */
export const FleetIncident = z.object({
  id: z.uuid(),
  partner_name: z.string(),
  began_at: z.string(),
  opened_at: z.string(),
  /** The last ending of a company in it; null while it is open. */
  ended_at: z.string().nullable(),
  ending: z.enum(INCIDENT_ENDINGS).nullable(),
  /** Companies that left, by the ending of their last incident; those that went on alone are `alone`. */
  ended: z.partialRecord(z.enum([...INCIDENT_ENDINGS, "alone"]), z.int()),
  /** Each company once, by slug. */
  companies: z.array(FleetCompany),
  /** How many companies in it were in trouble, from each instant to the next. In chronological order. */
  steps: z.array(z.object({ at: z.string(), companies: z.int() })),
  /** In chronological order. */
  timeline: z.array(FleetTimelineEvent),
});

/** `GET /api/fleet-incidents?state&page`, without steps and timelines: open ones unless `state` says otherwise, latest first. */
export const FleetIncidentsView = z.object({
  data: z.array(FleetIncident.omit({ steps: true, timeline: true })),
  meta: IncidentsMeta,
});

export type FleetIncident = z.infer<typeof FleetIncident>;
export type FleetIncidentsView = z.infer<typeof FleetIncidentsView>;
