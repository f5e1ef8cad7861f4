import { bigint, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

/**
 * The request budget. It belongs to an upstream origin, not to a company: the upstream counts by our address,
 * so all companies and all instances share it. Timestamps are epoch milliseconds of the database clock, which
 * all instances share.
 */

/** One row per origin: the lock that serialises reservations, and the waits that the upstream imposed. */
export const upstreamHosts = pgTable("upstream_hosts", {
  origin: text("origin").primaryKey(),
  /** The API returned 429: nothing is sent before this. */
  limitedUntilMs: bigint("limited_until_ms", { mode: "number" }).notNull().default(0),
  /**
   * The API's window is nearly exhausted: background requests wait for the next one, user requests may
   * continue.
   */
  backgroundDrainedUntilMs: bigint("background_drained_until_ms", { mode: "number" })
    .notNull()
    .default(0),
  /** The API's window is exhausted: all requests wait for the next one. */
  drainedUntilMs: bigint("drained_until_ms", { mode: "number" }).notNull().default(0),
  /** The token endpoint returned 429. */
  tokenLimitedUntilMs: bigint("token_limited_until_ms", { mode: "number" }).notNull().default(0),
});

/** One row per request of the last minute, written before it is sent. */
export const upstreamRequests = pgTable(
  "upstream_requests",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    origin: text("origin").notNull(),
    /** 0 background, 1 people, 2 token, 3 jobs. */
    lane: smallint("lane").notNull(),
    atMs: bigint("at_ms", { mode: "number" }).notNull(),
  },
  (table) => [index("upstream_requests_origin_at").on(table.origin, table.atMs)],
);

/** Credentials rejected by the token endpoint, so that restarts don't retry them at once. */
export const upstreamRefusals = pgTable(
  "upstream_refusals",
  {
    origin: text("origin").notNull(),
    clientId: text("client_id").notNull(),
    untilMs: bigint("until_ms", { mode: "number" }).notNull(),
    /** Consecutive rejections; the cool-down doubles with each. */
    refusals: integer("refusals").notNull(),
  },
  (table) => [primaryKey({ columns: [table.origin, table.clientId] })],
);

/** Grants of a client's credentials, so that a restart doesn't request tokens that are still valid. */
export const upstreamTokens = pgTable(
  "upstream_tokens",
  {
    origin: text("origin").notNull(),
    clientId: text("client_id").notNull(),
    /** `read` or `write`: a token; `grants`: the granted scopes, without a token. */
    purpose: text("purpose").$type<"read" | "write" | "grants">().notNull(),
    /** The token, encrypted with a key outside the database; empty for `grants`. */
    sealed: text("sealed").notNull(),
    /** Space-separated. */
    scopes: text("scopes").notNull(),
    issuedAtMs: bigint("issued_at_ms", { mode: "number" }).notNull(),
    /** When the token expires. */
    expiresAtMs: bigint("expires_at_ms", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.origin, table.clientId, table.purpose] })],
);
