import { z } from "zod";
import { SCOPES } from "@/lib/contracts/v3";
import { SOURCE_REASONS } from "@/lib/domain/sync";

/**
 * The JSON of connections: the state of each company's API connection. Never contains a secret. Instants are ISO 8601,
 * on our clock.
 */

export const ConnectionView = z.object({
  /** Of the company. */
  slug: z.string(),
  name: z.string(),
  /** Host and port of its API. */
  host: z.string(),
  confidence: z.enum(["live", "delayed", "blind"]),
  /** Why the last check failed; null: it succeeded. */
  reason: z.enum(SOURCE_REASONS).nullable(),
  /** The last complete check; null before the first. */
  last_success_at: z.string().nullable(),
  /** When the next check is expected; null: not known yet. */
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
    /** Companies that are no longer connected, by name; their record is preserved. */
    left: z.array(z.object({ slug: z.string(), name: z.string(), left_at: z.string().nullable() })),
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

export type ConnectionView = z.infer<typeof ConnectionView>;
export type ConnectionsView = z.infer<typeof ConnectionsView>;
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;
