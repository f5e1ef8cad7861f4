import { z } from "zod";
import { SCOPES } from "@/lib/contracts/v3";
import { SOURCE_REASONS } from "@/lib/domain/sync";

/** The JSON of connections: how each company's way to its API is. Never a secret. Instants are ISO 8601, on our clock. */

export const ConnectionView = z.object({
  /** Of the company. */
  slug: z.string(),
  name: z.string(),
  /** Host and port of its API. */
  host: z.string(),
  confidence: z.enum(["live", "delayed", "blind"]),
  /** Why the last check gave nothing; null: it succeeded. */
  reason: z.enum(SOURCE_REASONS).nullable(),
  /** The last complete check; null before the first. */
  last_success_at: z.string().nullable(),
  /** When the next check is expected; null: not known yet. */
  next_check_at: z.string().nullable(),
  /** What confidence is counted by. */
  rhythm_seconds: z.number(),
  /** From check to check, while they succeed. */
  check_seconds: z.number(),
  /** What its checks take of the budget of its host. */
  requests_per_minute: z.number(),
  /** What its API grants; null: not learned yet. */
  scopes: z.array(z.enum(SCOPES)).nullable(),
  /** The token that it is read with; null: there is none now. */
  token: z.object({ issued_at: z.string(), expires_at: z.string() }).nullable(),
  /** Until when the API has us wait; null: it does not. */
  limited_until: z.string().nullable(),
  /** The last stretch without checks for the API's sake, as far as the record goes; null: none. */
  last_gap: z
    .object({ reason: z.enum(SOURCE_REASONS), from: z.string(), until: z.string() })
    .nullable(),
});

/** `GET /api/connections`, in the order of the configuration. */
export const ConnectionsView = z.object({
  data: z.array(ConnectionView),
  meta: z.object({
    /** Where the connections come from. */
    source: z.enum(["file", "environment", "demo", "none"]),
    /** `CONNECTIONS_FILE`; null: it is not given. */
    file: z
      .object({
        read_at: z.string(),
        /** Why its present content is not in use, and since when; null: it is in use. */
        refused: z.object({ since: z.string(), problems: z.array(z.string()) }).nullable(),
      })
      .nullable(),
    /** Requests a minute that each host is sent at most, and tokens that it is asked for. */
    requests_per_minute: z.int(),
    token_requests_per_minute: z.int(),
    /** Companies that are connected no more, by name; their record is kept. */
    left: z.array(z.object({ slug: z.string(), name: z.string(), left_at: z.string().nullable() })),
  }),
});

/** `POST /api/connections/[slug]/check`: what came of asking the API once, now. */
export const ConnectionCheck = z.object({
  checked_at: z.string(),
  took_ms: z.int(),
  /** Null: the API answered as it should. */
  reason: z.enum(SOURCE_REASONS).nullable(),
  /** How far it came: nothing was sent, no sign-in, no rows, or all of it. */
  reached: z.enum(["not_sent", "sign_in", "rows", "all"]),
  /** Of all pages; null unless it came that far. */
  rows: z.int().nullable(),
  scopes: z.array(z.enum(SCOPES)).nullable(),
  /** Before then asking again is pointless; null: not known. */
  retry_at: z.string().nullable(),
});

export type ConnectionView = z.infer<typeof ConnectionView>;
export type ConnectionsView = z.infer<typeof ConnectionsView>;
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;
