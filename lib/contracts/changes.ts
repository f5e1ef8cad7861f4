import { z } from "zod";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { Incident } from "./incidents";
import { CompanyName } from "./companies/company-name";

/** The JSON of changes since an instant. `since`, `until` and `looked_at` are ISO 8601, on our clock. */

const VerdictChange = z.object({
  endpoint_id: z.string(),
  from: z.enum(VERDICTS),
  to: z.enum(VERDICTS),
  /**
   * `[from, verdict]`, ascending: the verdict at `since` and each later one, valid until the next. Null: not listed.
   * ISO 8601, on the API's clock. Empty: too many changes to draw, which is more than 100, or fewer if more than 500
   * endpoints changed.
   */
  verdicts: z.array(z.tuple([z.string(), z.enum(VERDICTS).nullable()])),
});

/** `to` null: it was removed. */
const OtherChange = VerdictChange.extend({ to: z.enum(VERDICTS).nullable() });

/** An incident with its verdict over time. */
const ChangedIncident = Incident.extend({
  /**
   * `[from, verdict]`, ascending, from its start: each valid until the next, the last until the incident ended. Null:
   * none of its endpoints was in trouble. ISO 8601, on the API's clock like its other instants.
   */
  verdicts: z.array(z.tuple([z.string(), z.enum(TROUBLES).nullable()])),
});

/** `GET /api/companies/[company]/changes?since=ISO`. */
export const ChangesView = z.object({
  since: z.string(),
  until: z.string(),
  /** Total length of the gaps in that time, seconds. */
  not_observed_seconds: z.int(),
  /** The gaps, ascending. */
  not_observed: z.array(z.object({ from: z.string(), until: z.string() })),
  /** Incidents opened since, latest first; may include some that began unseen before. */
  began: z.array(ChangedIncident),
  /** Incidents whose end was seen since, latest first; one that was also opened since is in both lists. */
  ended: z.array(ChangedIncident),
  /**
   * Endpoints whose verdict is worse at the last complete check than at `since`; verdicts that can't be compared are in
   * `otherwise`.
   */
  worse: z.array(VerdictChange),
  better: z.array(VerdictChange),
  /**
   * Endpoints that became unknown, were removed or paused, or changed in another way that is neither worse nor better.
   */
  otherwise: z.array(OtherChange),
  /** Number of incidents open now. */
  open_count: z.int(),
  /** The API's clock minus ours, milliseconds. */
  api_clock_offset_ms: z.number(),
});

/** Number of changes in one company; endpoints of incidents that began or ended aren't counted again. */
const CompanyChanges = z.object({
  company: CompanyName,
  began: z.int(),
  recovered: z.int(),
  ended_otherwise: z.int(),
  worse: z.int(),
  better: z.int(),
  became_unknown: z.int(),
  removed: z.int(),
  changed_otherwise: z.int(),
  not_observed_seconds: z.int(),
  open_count: z.int(),
});

/** `GET /api/changes?since=ISO`: for all companies that the person may see. */
export const AllChangesView = z.object({
  since: z.string(),
  until: z.string(),
  /** Companies with changes or gaps, by name. */
  companies: z.array(CompanyChanges),
  /** Number of the other companies. */
  unchanged_count: z.int(),
  /** Number of incidents open now in all companies. */
  open_count: z.int(),
});

/** `GET|PUT /api/companies/[company]/last-look`, and `/api/me/last-look` for the list of all companies. */
export const LastLook = z.object({
  /** When the last visit ended; null: there was none. */
  looked_at: z.string().nullable(),
  /** Start of the period to catch up on: `looked_at`, limited to how far back changes are available, or a day ago. */
  since: z.string(),
});

export type OtherChange = z.infer<typeof OtherChange>;
export type ChangedIncident = z.infer<typeof ChangedIncident>;
export type ChangesView = z.infer<typeof ChangesView>;
export type AllChangesView = z.infer<typeof AllChangesView>;
export type CompanyChanges = z.infer<typeof CompanyChanges>;
export type LastLook = z.infer<typeof LastLook>;
