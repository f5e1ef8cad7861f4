import { z } from "zod";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { Incident } from "./incidents";

/** The JSON of what changed since a moment. `since`, `until` and `looked_at` are ISO 8601, on our clock. */

const VerdictChange = z.object({
  endpoint_id: z.string(),
  from: z.enum(VERDICTS),
  to: z.enum(VERDICTS),
  /**
   * `[from, verdict]`, ascending: `from` at `since`, and what it became since then, each until the next one. Null: it
   * wasn't listed. ISO 8601, on the API's clock. Empty: it changed too often to be drawn, which is
   * more than 100 times, and less where more than 500 endpoints changed.
   */
  verdicts: z.array(z.tuple([z.string(), z.enum(VERDICTS).nullable()])),
});

/** `to` null: it was removed. */
const OtherChange = VerdictChange.extend({ to: z.enum(VERDICTS).nullable() });

/** An incident with its verdict over time. */
const ChangedIncident = Incident.extend({
  /**
   * `[from, verdict]`, ascending, from its beginning on: each until the next one, the last until it ended. Null: none of
   * its endpoints was in trouble. ISO 8601, on the API's clock as its other instants.
   */
  verdicts: z.array(z.tuple([z.string(), z.enum(TROUBLES).nullable()])),
});

/** `GET /api/companies/[company]/changes?since=ISO`. */
export const ChangesView = z.object({
  since: z.string(),
  until: z.string(),
  /** For how much of that time we didn't look, seconds. */
  not_observed_seconds: z.int(),
  /** When that was, ascending. */
  not_observed: z.array(z.object({ from: z.string(), until: z.string() })),
  /** Those that opened since, the last first; what began unseen before may be among them. */
  began: z.array(ChangedIncident),
  /** Those that we saw the end of since, the last first; what opened since too is in both lists. */
  ended: z.array(ChangedIncident),
  /** Endpoints by their verdict then against that of the last complete check; what can't be compared is in `otherwise`. */
  worse: z.array(VerdictChange),
  better: z.array(VerdictChange),
  /** Those that became unknown, were removed, paused, or changed in another way that is neither. */
  otherwise: z.array(OtherChange),
  /** How many are open now. */
  open_count: z.int(),
  /** How far the API's clock is ahead of ours. */
  api_clock_offset_ms: z.number(),
});

/** What changed in one company, in numbers; endpoints of incidents that began (ended) aren't counted again. */
const CompanyChanges = z.object({
  company: z.object({ slug: z.string(), name: z.string() }),
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

/** `GET /api/changes?since=ISO`: of all companies that one may see. */
export const AllChangesView = z.object({
  since: z.string(),
  until: z.string(),
  /** Those in which anything changed or that we didn't observe throughout, by name. */
  companies: z.array(CompanyChanges),
  /** How many others there are. */
  unchanged_count: z.int(),
  /** How many incidents are open now, in all of them. */
  open_count: z.int(),
});

/** `GET|PUT /api/companies/[company]/last-look`, and `/api/me/last-look` for the list of all companies. */
export const LastLook = z.object({
  /** When the last visit ended; null: there was none. */
  looked_at: z.string().nullable(),
  /** The moment to catch up from: `looked_at` as far back as changes can be asked for, or a day ago. */
  since: z.string(),
});

export type OtherChange = z.infer<typeof OtherChange>;
export type ChangedIncident = z.infer<typeof ChangedIncident>;
export type ChangesView = z.infer<typeof ChangesView>;
export type AllChangesView = z.infer<typeof AllChangesView>;
export type CompanyChanges = z.infer<typeof CompanyChanges>;
export type LastLook = z.infer<typeof LastLook>;
