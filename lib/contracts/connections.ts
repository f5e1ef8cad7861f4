import { z } from "zod";
import { SCOPES } from "@/lib/contracts/v3";
import { isCompanySlug } from "@/lib/domain/company-slug";
import { CHECK_STEPS } from "@/lib/domain/check-steps";
import { SOURCE_REASONS } from "@/lib/domain/sync";
import { zoneNamed } from "@/lib/domain/time/present-zone";
import { enteredLine } from "@/lib/domain/text/entered-text";

/**
 * The JSON of connections: the state of each company's API connection. Never contains a secret. Instants are ISO 8601,
 * on our clock.
 */

/** Where a connection is configured: variables, `CONNECTIONS_FILE`, our pages, or the demo. */
const CONNECTION_ORIGINS = ["environment", "file", "browser", "demo"] as const;

export const ConnectionView = z.object({
  /** Of the company. */
  slug: z.string(),
  name: z.string(),
  /** Host and port of its API. */
  host: z.string(),
  base_url: z.string(),
  client_id: z.string(),
  /** Only `browser` ones can be changed by requests. */
  origin: z.enum(CONNECTION_ORIGINS),
  /** The connection made in a browser whose slug this one also has: it isn't used while this one exists. Null: none. */
  set_aside: z.object({ name: z.string(), host: z.string() }).nullable(),
  /** Who looks after the company: gets its new incidents. Null: the administrators. */
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Of the days of its reports, an IANA name; null: that of the installation. */
  time_zone: z.string().nullable(),
  /** The company's id in another system, such as a CRM; null: none. */
  external_id: z.string().nullable(),
  /** Since when an administrator has paused it (reason `disconnected`); null: it isn't paused. */
  paused_at: z.string().nullable(),
  /**
   * Its place among the companies of its host that wait for their first check, from 1; null: it was checked, or nothing
   * will be sent.
   */
  queue: z.object({ place: z.int(), of: z.int() }).nullable(),
  confidence: z.enum(["live", "delayed", "blind"]),
  /** Why the last check failed; null: it succeeded. */
  reason: z.enum(SOURCE_REASONS).nullable(),
  /** The last complete check; null before the first. */
  last_success_at: z.string().nullable(),
  /** When the next check is expected; null: not known yet, or nothing is sent until it is resumed or repaired. */
  next_check_at: z.string().nullable(),
  /** Poll rhythm that confidence is based on. */
  rhythm_seconds: z.number(),
  /** Interval between checks while they succeed. */
  check_seconds: z.number(),
  /** Its checks' share of the host's request budget. */
  requests_per_minute: z.number(),
  /** Scopes granted by its API; null: not known yet. */
  scopes: z.array(z.enum(SCOPES)).nullable(),
  /** The current token; null: there is none. */
  token: z.object({ issued_at: z.string(), expires_at: z.string() }).nullable(),
  /** Until when the API's rate limit blocks requests; null: it doesn't. */
  limited_until: z.string().nullable(),
  /** The last recorded gap caused by the API; null: none. */
  last_gap: z
    .object({ reason: z.enum(SOURCE_REASONS), from: z.string(), until: z.string() })
    .nullable(),
});

/** `GET /api/connections`, in the order of the configuration. */
export const ConnectionsView = z.object({
  data: z.array(ConnectionView),
  meta: z.object({
    /** Where the connections are configured. */
    source: z.enum(["file", "environment", "demo", "none"]),
    /** `CONNECTIONS_FILE`; null: not set. */
    file: z
      .object({
        read_at: z.string(),
        /** Why its current content isn't used, and since when; null: it is used. */
        refused: z.object({ since: z.string(), problems: z.array(z.string()) }).nullable(),
      })
      .nullable(),
    /** Limits per host: requests and token requests per minute. */
    requests_per_minute: z.int(),
    token_requests_per_minute: z.int(),
    /** How much more the installation can carry. */
    capacity: z.object({
      /**
       * Share of one core that the process of the instance that answers used lately, its database not counted, and over how
       * many seconds; null: not measured yet.
       */
      core_use: z.object({ cores: z.number(), over_seconds: z.number() }).nullable(),
      /** Companies of one page that the request limit of a host allows to check about once a minute. */
      companies_per_minute: z.int(),
    }),
    /**
     * Companies that are no longer connected, by name; their record is preserved. `can_resume`: removed in a browser, so
     * connecting the same host and client resumes it.
     */
    left: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        left_at: z.string().nullable(),
        can_resume: z.boolean(),
      }),
    ),
  }),
});

/** `POST /api/connections/[slug]/check`: result of a single check. */
export const ConnectionCheck = z.object({
  checked_at: z.string(),
  took_ms: z.int(),
  /** Null: the API responded as expected. */
  reason: z.enum(SOURCE_REASONS).nullable(),
  /** How far it got: nothing was sent, sign-in failed, reading rows failed, or complete. */
  reached: z.enum(["not_sent", "sign_in", "rows", "all"]),
  /** On all pages; null unless all were read. */
  rows: z.int().nullable(),
  scopes: z.array(z.enum(SCOPES)).nullable(),
  /** A retry before then is pointless; null: unknown. */
  retry_at: z.string().nullable(),
});

/** One line of `POST /api/connections/check`, sent when the step is done. All texts are ours, in plain sentences. */
export const CheckStep = z.object({
  step: z.enum(CHECK_STEPS),
  /** Null: not checked, because an earlier step failed or nothing was to be seen. */
  ok: z.boolean().nullable(),
  /** What was found. */
  text: z.string(),
  /** Duration of its requests, milliseconds; null: nothing was sent. */
  ms: z.int().nullable(),
  detail: z.object({
    /** What it means, or what to do about a failure; null: nothing to add. */
    note: z.string().nullable(),
    /** Of `scopes`: all scopes, and what each is for; null: unknown. */
    scopes: z
      .array(z.object({ scope: z.enum(SCOPES), granted: z.boolean(), use: z.string() }))
      .optional(),
    /** Of `rows`: counts as the API reported them. `partners`: only of the rows read; null when not all were read. */
    endpoints: z.int().optional(),
    partners: z.int().nullable().optional(),
    pages: z.int().optional(),
    /** Of `rows`: the first of them. Instants are ISO 8601, on the API's clock. */
    sample: z
      .array(
        z.object({
          partner_name: z.string(),
          endpoint_key: z.string(),
          status: z.string(),
          frequency_minutes: z.number().nullable(),
          last_updated_at: z.string().nullable(),
          next_sync_at: z.string().nullable(),
        }),
      )
      .optional(),
    /** Of `files`. */
    files: z.int().optional(),
    /** Of `rate_limit`: requests a minute that the API reported, and those that our checks need. */
    limit: z.int().optional(),
    planned_per_minute: z.number().optional(),
    /** Of `clock`: the API's clock minus ours. */
    offset_ms: z.number().optional(),
  }),
});

/** Of a checked address: an absolute http or https URL. The check says whether it may be requested. */
const BaseUrl = z
  .string()
  .trim()
  .max(2_000)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain =
      url !== null &&
      ["http:", "https:"].includes(url.protocol) &&
      url.port !== "0" &&
      url.username + url.password + url.search + url.hash === "";
    if (isPlain) return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  });

/** Secrets are pasted: white space around them is never part of them. */
const ClientId = z
  .string()
  .trim()
  .min(1)
  .max(500)
  // PostgreSQL can't store some of these, and the secret is encrypted for the exact ID.
  .refine((text) => !/[\p{Control}\p{Surrogate}]/u.test(text));
const ClientSecret = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  // Would read our own environment, which only the installation's files may do.
  .refine((text) => !text.startsWith("env:"));
const CompanyName = z.string().overwrite(enteredLine).min(1).max(200);
const TimeZone = z
  .string()
  .min(1)
  .max(100)
  .transform((name, context) => {
    const zone = zoneNamed(name);
    if (zone !== null) return zone;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  });
/** A person who may handle the company's incidents: id, or email in an import. */
const Owner = z.union([z.uuid(), z.email().max(254)]);
const ExternalId = z.string().overwrite(enteredLine).min(1).max(100);

/** `POST /api/connections/check`: nothing is saved. */
export const CheckRequest = z.strictObject({
  base_url: BaseUrl,
  client_id: ClientId,
  client_secret: ClientSecret,
});

/** Own addresses beside those of single connections, see `app/api/connections`. */
const OWN_ADDRESSES = new Set(["check", "import"]);

const companyFields = {
  slug: z.string().refine((slug) => isCompanySlug(slug) && !OWN_ADDRESSES.has(slug)),
  name: CompanyName,
  ...CheckRequest.shape,
  time_zone: TimeZone.nullable().optional(),
  owner: Owner.nullable().optional(),
  external_id: ExternalId.nullable().optional(),
};

/** `POST /api/connections`: 201 `Connected`; 422 `check_failed` unless `save_anyway`. */
export const ConnectRequest = z.strictObject({
  ...companyFields,
  save_anyway: z.boolean().optional(),
});

/**
 * `PATCH /api/connections/[slug]`; omitted members remain unchanged, null empties one. `base_url` and `client_id` only
 * together with `client_secret`: a stored secret is never sent to another host. New credentials are checked first.
 */
export const ConnectionChange = z
  .strictObject({
    name: CompanyName.optional(),
    time_zone: companyFields.time_zone,
    owner: companyFields.owner,
    external_id: companyFields.external_id,
    base_url: BaseUrl.optional(),
    client_id: ClientId.optional(),
    client_secret: ClientSecret.optional(),
    paused: z.boolean().optional(),
    save_anyway: z.boolean().optional(),
  })
  .refine(
    ({ base_url, client_id, client_secret }) =>
      client_secret !== undefined || (base_url === undefined && client_id === undefined),
    { path: ["client_secret"] },
  );

/** 201 of `POST /api/connections`, and 200 of `PATCH`. The slug is the old one where a removed company was resumed. */
export const Connected = z.object({ slug: z.string() });

/** 422 of both: nothing was saved. */
export const CheckFailed = z.object({
  error: z.literal("check_failed"),
  error_description: z.string(),
  steps: z.array(CheckStep),
});

export const MAX_IMPORT_ROWS = 500;

/** A row of an import, validated on its own. */
export const ImportRow = z.strictObject(companyFields);

/** `POST /api/connections/import`. A dry run saves and sends nothing. */
export const ImportRequest = z.strictObject({
  dry_run: z.boolean(),
  rows: z.array(z.unknown()).min(1).max(MAX_IMPORT_ROWS),
  /** Line of each row in its file. Omitted: they are counted from 1. */
  lines: z.array(z.int().min(1)).max(MAX_IMPORT_ROWS).optional(),
});

/** One entry for each row, in the same order. `ok`: saved, or would be. */
export const Imported = z.object({
  data: z.array(
    z.object({
      /** As given, else from 1. */
      line: z.int(),
      /** As given; empty if it isn't text. */
      slug: z.string(),
      result: z.enum(["ok", "invalid", "taken"]),
      text: z.string(),
    }),
  ),
});

/** `DELETE /api/demo`: nothing can be chosen. */
export const DemoRemovalRequest = z.strictObject({}).optional();

/**
 * Its response: "removing" while the rest is still being deleted in the background; pages show none of it by then.
 */
export const DemoRemoval = z.object({ state: z.enum(["removed", "removing"]) });

export type ConnectionView = z.infer<typeof ConnectionView>;
export type ConnectionsView = z.infer<typeof ConnectionsView>;
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;
export type CheckStep = z.infer<typeof CheckStep>;
export type CheckRequest = z.infer<typeof CheckRequest>;
export type ConnectRequest = z.infer<typeof ConnectRequest>;
export type ConnectionChange = z.infer<typeof ConnectionChange>;
export type Connected = z.infer<typeof Connected>;
export type CheckFailed = z.infer<typeof CheckFailed>;
export type Imported = z.infer<typeof Imported>;
export type DemoRemoval = z.infer<typeof DemoRemoval>;
