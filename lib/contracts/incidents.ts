import { z } from "zod";
import { MEMBER_ENDINGS, TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";

/** The JSON of incidents. Instants are ISO 8601; those of what people do are on our clock, all others on the API's. */

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
  /** As it was last seen as a member; `unknown`: we can't tell. */
  verdict: z.enum(VERDICTS),
  began_at: z.string(),
  joined_at: z.string(),
  ended_at: z.string().nullable(),
  ending: z.enum(MEMBER_ENDINGS).nullable(),
  /** When the data was received that ended its trouble, which may be before that began; null: none did. */
  received_at: z.string().nullable(),
});

export const Incident = z.object({
  /** Counts up from 1 in each company. */
  id: z.int(),
  company: z.object({ slug: z.string(), name: z.string() }),
  partner_name: z.string(),
  state: z.enum(INCIDENT_STATES),
  began_at: z.string(),
  opened_at: z.string(),
  ended_at: z.string().nullable(),
  ending: z.enum(INCIDENT_ENDINGS).nullable(),
  /** The worst of its members, as the last complete check saw them; null: none was in trouble. */
  verdict: z.enum(TROUBLES).nullable(),
  worst_verdict: z.enum(TROUBLES),
  flaps: z.int(),
  /** The check since which we can't see it; null: we can, or it has ended. */
  not_observed_since: z.string().nullable(),
  /** Who is on it; null: nobody. `until`: null is until it ends. */
  acknowledged: z
    .object({
      by: z.string(),
      by_id: z.uuid(),
      /** It is whoever asks. */
      is_you: z.boolean(),
      at: z.string(),
      until: z.string().nullable(),
    })
    .nullable(),
  /** Null: the administrators. */
  owner: Someone.extend({ is_you: z.boolean() }).nullable(),
  /** The person asking owns it, is on it, or looks after its company now, as its owner or standing in. */
  is_mine: z.boolean(),
  members: z.array(IncidentMember),
  /** How many endpoints the partner has now. */
  endpoint_count: z.int(),
  /** From when the lateness of the member furthest behind counts; null: none is overdue, or we can't see. */
  due_at: z.string().nullable(),
  /** The next sync of a member in trouble; null: none is set, or it has ended. */
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

/** How many of all that may be seen, whatever is asked for. `cannot_tell`: open, and none is seen in trouble. */
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
 * `GET /api/companies/[company]/incidents?state&partner&verdict&mine&unacknowledged&page&per_page`, and
 * `GET /api/incidents?...&company` of all companies: open ones first, worst first; of those that ended, the last first.
 */
export const IncidentsView = z.object({
  data: z.array(Incident),
  meta: IncidentsMeta,
  counts: IncidentCounts,
  /** Open ones that nobody is on, in all companies that one may see, whatever is asked for. */
  unacknowledged_everywhere: z.int(),
  /** Of all that may be seen, the companies that we can't see now: they may have more than is listed. */
  not_observed: z.array(z.object({ slug: z.string(), name: z.string() })),
});

const TimelineEvent = z.object({
  /** Counts up from 1 in each incident. */
  seq: z.int(),
  at: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  /** Who did it, as they were called then; null: it is what we saw. */
  by: z.string().nullable(),
  by_id: z.uuid().nullable(),
  /** What happened in a sentence; of people, what they wrote or what they did. */
  text: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  endpoint_key: z.string().nullable(),
  /** Of `acknowledged`. */
  until: z.string().nullable(),
  /** Of `noted`. */
  told_customer: z.boolean(),
});

/** What there is to say whether the trouble is on our side or theirs, as of now. */
const IncidentEvidence = z.object({
  confidence: z.enum(["live", "delayed", "blind"]),
  /** For how long we didn't see it since it began, seconds. */
  not_observed_seconds: z.int(),
  /** Of its members in trouble. */
  in_trouble: z.int(),
  /** Those whose last run was rate limited. */
  rate_limited: z.int(),
  /** The same partner at the other companies that one may see. */
  elsewhere: z.object({
    affected: z.array(z.object({ slug: z.string(), name: z.string() })),
    unaffected: z.int(),
    not_observed: z.int(),
  }),
  /** The other partners of this company. */
  other_partners: z.object({ affected: z.int(), total: z.int() }),
});

/** `GET /api/companies/[company]/incidents/[id]`. */
export const IncidentView = Incident.extend({
  /** In the order in which it happened. */
  timeline: z.array(TimelineEvent),
  evidence: IncidentEvidence,
});

const Text = z.string().trim().max(2000);

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
});

/** `PUT /api/companies/[company]/care`; what is left out stays. */
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

/** `GET /api/companies/[company]/care`: who looks after it. Null: the administrators, and nobody. */
export const CareView = z.object({
  owner: Someone.nullable(),
  stand_in: z.object({ person: Someone, from: z.string(), until: z.string() }).nullable(),
  /** Who may be chosen; nobody for those who may not choose. */
  people: z.array(Someone),
});

/** `POST /api/me/handover`: what is mine goes to a colleague until a moment, ISO 8601, and comes back by itself. */
export const Handover = z.strictObject({
  companies: z.union([z.literal("mine"), z.array(z.string()).min(1).max(1000)]),
  to: PersonId,
  until: z.string(),
});

/** What `POST /api/me/handover` did. */
export const HandoverDone = z.object({
  to: Someone,
  until: z.string(),
  /** Those in which they stand in now, slugs. */
  companies: z.array(z.string()),
  /** How many open incidents they have now. */
  incidents: z.int(),
});

/** `GET /api/me/handover`: what I could hand over, and to whom. */
export const HandoverView = z.object({
  companies: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      /** Whether I look after it, stand in there, or as an administrator because no one else does; else only incidents
       * in it are mine. */
      is_owner: z.boolean(),
      open_incidents: z.int(),
    }),
  ),
  /** Whoever may handle incidents in any of these, but me. `companies`: in which ones, slugs. */
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
