import { z } from "zod";
import { MEMBER_ENDINGS } from "@/lib/domain/incidents/incident";
import { DEFAULT_DAYS, LONGEST_FOR } from "@/lib/domain/links/limits";
import { VERDICTS } from "@/lib/domain/sync";
import { INCIDENT_ENDINGS } from "./incidents";
import { CompanyName } from "./companies/company-name";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of share links: what people without an account may see. Instants are ISO 8601. */

export const SHOWS = ["then", "now", "both"] as const;
export const MAX_DAYS = 30;

const Days = z.int().min(1).max(MAX_DAYS);

/**
 * `POST /api/companies/[company]/links`. Exactly one thing is shared, by its member: a partner (its name) or an
 * incident (its number). An object with both, or with any other member, is rejected, so that nothing else is shared by
 * mistake.
 */
export const LinkRequest = z
  .strictObject({
    partner: z.string().min(1).max(500).optional(),
    incident: z.int().min(1).max(2_147_483_647).optional(),
    shows: z.enum(SHOWS),
    days: Days.default(DEFAULT_DAYS),
    /** The recipient, as named by the link's creator; only visible to colleagues. */
    for: z.string().overwrite(enteredLine).max(LONGEST_FOR).nullable().default(null),
    /** Whether link previews show the shared content, and not just our name. */
    details_in_preview: z.boolean().default(false),
  })
  .refine(({ partner, incident }) => (partner === undefined) !== (incident === undefined), {
    path: ["partner"],
  });

/** `PATCH .../links/[id]`: the link expires this many days from now. */
export const LinkExtension = z.strictObject({ days: Days });

/** Response of `POST .../links`, with 201. The address is only returned here. */
export const MadeLink = z.object({ id: z.uuid(), url: z.string(), expires_at: z.string() });

/**
 * `paused`: its creator has lost the right to share links of the company, so it shows nothing until they have it again.
 */
const LINK_STATES = ["open", "paused", "revoked", "expired"] as const;

export const LinkEntry = z.object({
  id: z.uuid(),
  company: CompanyName,
  /** The shared partner, or the partner of the shared incident. */
  partner: z.string(),
  /** The incident's number; null: the partner is shared. */
  incident: z.int().nullable(),
  shows: z.enum(SHOWS),
  for: z.string().nullable(),
  details_in_preview: z.boolean(),
  made_by: z.object({ name: z.string(), is_you: z.boolean() }),
  created_at: z.string(),
  expires_at: z.string(),
  state: z.enum(LINK_STATES),
  revoked_at: z.string().nullable(),
  revoked_by: z.string().nullable(),
  /** How often its page was shown. */
  opened: z.int(),
  last_opened_at: z.string().nullable(),
});

/** `GET /api/companies/[company]/links?page&per_page`, and `GET /api/links` for all companies: newest first. */
export const LinksView = z.object({
  data: z.array(LinkEntry),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
});

/** `GET /api/links?page&per_page&q&whose&state`. `counts`: without filters. */
export const AllLinksView = LinksView.extend({
  counts: z.object({ open: z.int(), ended: z.int(), ending_soon: z.int() }),
  /** Whether links of other people are listed. */
  lists_everyones: z.boolean(),
});

const ThenEndpoint = z.object({
  /** The row's id; never shown. */
  id: z.string(),
  endpoint_key: z.string(),
  verdict: z.enum(VERDICTS),
  age_seconds: z.int().nullable(),
  /** How often its data was expected; null: unknown. Missing in links from before it was stored. */
  cadence_seconds: z.int().nullable().optional(),
  /** The part of the age that counts, and why not all of it does; missing where all of it does. */
  counted_age_seconds: z.int().optional(),
  quiet: z.string().optional(),
  /** Seconds overdue; null: it wasn't. */
  overdue_seconds: z.int().nullable(),
});

/**
 * An incident as it was when it was shared. Instants are on the API's clock. `resting`: see `spokenEnding`; `eased` in
 * links from before it was stored.
 */
const SharedIncident = z.object({
  began_at: z.string(),
  /** Identifies the incident together with its number. */
  opened_at: z.string(),
  ended_at: z.string().nullable(),
  ending: z.enum([...INCIDENT_ENDINGS, "resting"]).nullable(),
  /** Number of endpoints that the partner had. */
  endpoint_count: z.int(),
  members: z.array(
    z.object({
      id: z.string(),
      endpoint_key: z.string(),
      began_at: z.string(),
      ended_at: z.string().nullable(),
      ending: z.enum([...MEMBER_ENDINGS, "resting"]).nullable(),
    }),
  ),
});

/**
 * What the creator saw when sharing, as stored with the link. `at` is on the API's clock. For an incident, `endpoints`
 * are the members still in trouble.
 */
export const SharedThen = z.object({
  company_name: z.string(),
  at: z.string(),
  /** If not live, the verdicts were those of `as_of`. */
  confidence: z.enum(["live", "delayed", "blind"]),
  as_of: z.string(),
  endpoints: z.array(ThenEndpoint),
  incident: SharedIncident.optional(),
});

export type Shows = (typeof SHOWS)[number];
export type LinkRequest = z.input<typeof LinkRequest>;
export type MadeLink = z.infer<typeof MadeLink>;
export type LinkEntry = z.infer<typeof LinkEntry>;
export type LinksView = z.infer<typeof LinksView>;
export type AllLinksView = z.infer<typeof AllLinksView>;
export type SharedThen = z.infer<typeof SharedThen>;
export type SharedIncident = z.infer<typeof SharedIncident>;
