import { z } from "zod";
import { MEMBER_ENDINGS, TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { CompanyName } from "./companies/company-name";
import { enteredText } from "@/lib/domain/text/entered-text";

/**
 * The JSON of incidents. Instants are ISO 8601; those of people's actions are on our clock, all others on the API's.
 */

export const INCIDENT_STATES = ["open", "ended"] as const;
export const INCIDENT_ENDINGS = [
  "recovered",
  "paused",
  "removed",
  "became_webhook",
  "expected",
  "schedule_changed",
  "eased",
  "mixed",
] as const;
export const TIMELINE_KINDS = [
  "opened",
  "joined",
  "worsened",
  "eased",
  "left",
  "ended",
  "flapped",
  "blind",
  "seen_again",
  "acknowledged",
  "unacknowledged",
  "owned",
  "noted",
  "delivered",
] as const;

const Someone = z.object({ id: z.uuid(), name: z.string() });

const IncidentMember = z.object({
  endpoint_id: z.string(),
  endpoint_key: z.string(),
  /** When last seen as a member; `unknown`: can't be determined. */
  verdict: z.enum(VERDICTS),
  began_at: z.string(),
  joined_at: z.string(),
  ended_at: z.string().nullable(),
  ending: z.enum(MEMBER_ENDINGS).nullable(),
  /** When the data that ended its trouble was received, possibly before the trouble started; null: no data ended it. */
  received_at: z.string().nullable(),
  /** Of `eased`: by its learned week, it rests at this time. Absent: no. */
  is_resting: z.literal(true).optional(),
});

export const Incident = z.object({
  /** Counts up from 1 per company. */
  id: z.int(),
  company: CompanyName,
  partner_name: z.string(),
  state: z.enum(INCIDENT_STATES),
  began_at: z.string(),
  opened_at: z.string(),
  ended_at: z.string().nullable(),
  ending: z.enum(INCIDENT_ENDINGS).nullable(),
  /** Of `eased`: by their learned weeks, all of its members rest at this time. Absent: no. */
  is_resting: z.literal(true).optional(),
  /** The worst of its members at the last complete check; null: none was in trouble. */
  verdict: z.enum(TROUBLES).nullable(),
  worst_verdict: z.enum(TROUBLES),
  flaps: z.int(),
  /** The check since which it can't be observed; null: it can, or it has ended. */
  not_observed_since: z.string().nullable(),
  /** Who acknowledged it; null: it isn't acknowledged. `until` null: until it ends. */
  acknowledged: z
    .object({
      by: z.string(),
      by_id: z.uuid(),
      /** Whether it is the caller. */
      is_you: z.boolean(),
      at: z.string(),
      until: z.string().nullable(),
    })
    .nullable(),
  /** When a person last noted that the customer was told; null: no one did. */
  told_at: z.string().nullable(),
  /** Null: the administrators. */
  owner: Someone.extend({ is_you: z.boolean() }).nullable(),
  /** Whether the caller owns it, acknowledged it, or owns its company now, including as a stand-in. */
  is_mine: z.boolean(),
  members: z.array(IncidentMember),
  /** Number of endpoints that the partner has now. */
  endpoint_count: z.int(),
  /** When the most overdue member was due; null: none is overdue, or the company is blind. */
  due_at: z.string().nullable(),
  /**
   * The next sync of a member in trouble, or, if none is ahead, the last one that was due and hasn’t started; null: no time
   * is set, the incident has ended, or the company is blind.
   */
  next_sync_at: z.string().nullable(),
  /** The API's clock minus ours, milliseconds. */
  api_clock_offset_ms: z.number(),
});

export const IncidentsMeta = z.object({
  page: z.int(),
  per_page: z.int(),
  total_count: z.int(),
  total_pages: z.int(),
});

/**
 * Counts over all visible incidents, regardless of filters. `cannot_tell`: open, but neither is a member seen in trouble
 * nor are all of them seen to be over it.
 */
export const IncidentCounts = z.object({
  open: z.int(),
  unacknowledged: z.int(),
  mine: z.int(),
  failing: z.int(),
  stale: z.int(),
  late: z.int(),
  cannot_tell: z.int(),
  ended_last_7_days: z.int(),
});

/**
 * `GET /api/companies/[company]/incidents?state&partner&verdict&mine&unacknowledged&page&per_page`, and `GET
 * /api/incidents?...&company` for all companies: open ones first, worst first; then ended ones, latest first.
 */
export const IncidentsView = z.object({
  data: z.array(Incident),
  meta: IncidentsMeta,
  counts: IncidentCounts.describe(
    "Of all incidents of the company, or of all companies that the caller may see: filters don't change them.",
  ),
  /** Unacknowledged open incidents in all companies that the caller may see, regardless of filters. */
  unacknowledged_everywhere: z.int(),
  /** Visible companies that are blind now: they may have more incidents than are listed. */
  not_observed: z.array(CompanyName),
  /** There are none, but incidents of the past are still to be derived from the record. Absent: no. */
  is_history_loading: z.literal(true).optional(),
});

export const TimelineEvent = z.object({
  /** Counts up from 1 per incident. */
  seq: z.int(),
  at: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  /** Name at that time of the person who acted; null: an observation. */
  by: z.string().nullable(),
  by_id: z.uuid().nullable(),
  /** The event as a sentence; for people, their text or action. */
  text: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  endpoint_key: z.string().nullable(),
  /** Of `acknowledged`. */
  until: z.string().nullable(),
  /** Of `noted`. */
  told_customer: z.boolean(),
});

/** Current evidence of whether the trouble is on our side or theirs. */
const IncidentEvidence = z.object({
  confidence: z.enum(["live", "delayed", "blind"]),
  /** Unobserved time since it began, seconds. */
  not_observed_seconds: z.int(),
  /** Number of its members in trouble. */
  in_trouble: z.int(),
  /** Those of them that have a recorded run. */
  with_runs: z.int(),
  /** Members whose last run was rate limited. */
  rate_limited: z.int(),
  /** The same partner at the other companies that the caller may see. */
  elsewhere: z.object({
    affected: z.array(CompanyName),
    unaffected: z.int(),
    not_observed: z.int(),
  }),
  /** The other partners of this company. */
  other_partners: z.object({ affected: z.int(), total: z.int() }),
});

/** `GET /api/companies/[company]/incidents/[id]`. */
export const IncidentView = Incident.extend({
  /** In chronological order. */
  timeline: z.array(TimelineEvent),
  evidence: IncidentEvidence,
});

const Text = z.string().overwrite(enteredText).max(2000);

/** `PUT .../incidents/[id]/acknowledgement`. */
export const Acknowledgement = z.strictObject({
  until: z.string().nullable().default(null),
  note: Text.nullable().default(null),
});
const PersonId = z.union([z.uuid(), z.object({ id: z.uuid() }).transform(({ id }) => id)]);
/** `PUT .../incidents/[id]/owner`. Null: the administrators. */
export const OwnerChange = z.strictObject({ person: PersonId.nullable() });
/** `POST .../incidents/[id]/notes`. */
export const Note = z.strictObject({
  text: Text.min(1),
  told_customer: z.boolean().default(false),
  /** Sends it to the channels that follow the incident, while it is open. */
  to_channels: z.boolean().default(false),
});

/** `PUT /api/companies/[company]/care`; omitted members remain unchanged. */
export const CareChange = z
  .strictObject({
    owner: PersonId.nullable().optional(),
    stand_in: z
      .strictObject({ person: PersonId, from: z.string(), until: z.string() })
      .nullable()
      .optional(),
  })
  .refine(({ owner, stand_in: standIn }) => owner !== undefined || standIn !== undefined, {
    path: ["owner"],
  });

/** `GET /api/companies/[company]/care`: owner and stand-in. Null: the administrators, and no stand-in. */
export const CareView = z.object({
  owner: Someone.nullable(),
  stand_in: z.object({ person: Someone, from: z.string(), until: z.string() }).nullable(),
  /** People who may be chosen; empty if the caller may not choose. */
  people: z.array(Someone),
});

/**
 * `POST /api/me/handover`: hands the caller's work to a colleague until an instant, ISO 8601, after which it returns.
 */
export const Handover = z.strictObject({
  companies: z.union([z.literal("mine"), z.array(z.string()).min(1).max(1000)]),
  to: PersonId,
  until: z.string(),
});

/** What `POST /api/me/handover` did. */
export const HandoverDone = z.object({
  to: Someone,
  until: z.string(),
  /** Slugs of the companies in which they are a stand-in now. */
  companies: z.array(z.string()),
  /** Number of open incidents that they own now. */
  incidents: z.int(),
});

/** `GET /api/me/handover`: what the caller can hand over, and to whom. */
export const HandoverView = z.object({
  companies: z.array(
    z.object({
      ...CompanyName.shape,
      /**
       * Whether the caller owns it, stands in there, or is an administrator of a company without an owner; otherwise
       * only incidents in it are the caller's.
       */
      is_owner: z.boolean(),
      open_incidents: z.int(),
    }),
  ),
  /** Everyone but the caller who may handle incidents in any of these. `companies`: slugs of those. */
  people: z.array(Someone.extend({ companies: z.array(z.string()) })),
});

export type Handover = z.infer<typeof Handover>;
export type HandoverDone = z.infer<typeof HandoverDone>;
export type HandoverView = z.infer<typeof HandoverView>;
export type Incident = z.infer<typeof Incident>;
export type IncidentsView = z.infer<typeof IncidentsView>;
export type IncidentCounts = z.infer<typeof IncidentCounts>;
export type TimelineEvent = z.infer<typeof TimelineEvent>;
export type IncidentEvidence = z.infer<typeof IncidentEvidence>;
export type IncidentView = z.infer<typeof IncidentView>;
export type CareView = z.infer<typeof CareView>;
export type CareChange = z.infer<typeof CareChange>;
