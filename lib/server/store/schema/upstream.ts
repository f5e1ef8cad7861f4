import { bigint, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

/**
 * The request budget. It belongs to an upstream's origin, not to a company: the upstream counts by our
 * address, so all companies and all instances share it. Instants are epoch milliseconds of the
 * database's clock, the only clock that all instances share.
 */

/** One row per origin: the lock that serialises reservations, and what the upstream told us to wait for. */
export const upstreamHosts = pgTable("upstream_hosts", {
  origin: text("origin").primaryKey(),
  /** The API answered 429: nothing is sent before this. */
  limitedUntilMs: bigint("limited_until_ms", { mode: "number" }).notNull().default(0),
  /** The API's own window is nearly spent: the collector waits for the next one, people may go on. */
  backgroundDrainedUntilMs: bigint("background_drained_until_ms", { mode: "number" })
    .notNull()
    .default(0),
  /** The API's own window is spent: everybody waits for the next one. */
  drainedUntilMs: bigint("drained_until_ms", { mode: "number" }).notNull().default(0),
  /** The token endpoint answered 429. */
  tokenLimitedUntilMs: bigint("token_limited_until_ms", { mode: "number" }).notNull().default(0),
});

/** One row per request of the last minute, written before it is sent. */
export const upstreamRequests = pgTable(
  "upstream_requests",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    origin: text("origin").notNull(),
    /** 0 background, 1 people, 2 token. */
    lane: smallint("lane").notNull(),
    atMs: bigint("at_ms", { mode: "number" }).notNull(),
  },
  (table) => [index("upstream_requests_origin_at").on(table.origin, table.atMs)],
);

/** Credentials that the token endpoint refused, so that a restart does not hammer it. */
export const upstreamRefusals = pgTable(
  "upstream_refusals",
  {
    origin: text("origin").notNull(),
    clientId: text("client_id").notNull(),
    untilMs: bigint("until_ms", { mode: "number" }).notNull(),
    /** Refusals in a row; the cool-down doubles with each. */
    refusals: integer("refusals").notNull(),
  },
  (table) => [primaryKey({ columns: [table.origin, table.clientId] })],
);

/** What was granted to a client's credentials, so that a restart asks for nothing that is still good. */
export const upstreamTokens = pgTable(
  "upstream_tokens",
  {
    origin: text("origin").notNull(),
    clientId: text("client_id").notNull(),
    /** `read` or `write`: a token; `grants`: what is granted, without one. */
    purpose: text("purpose").$type<"read" | "write" | "grants">().notNull(),
    /** The token, sealed with a key that is not in the database; empty for `grants`. */
    sealed: text("sealed").notNull(),
    /** With spaces between. */
    scopes: text("scopes").notNull(),
    issuedAtMs: bigint("issued_at_ms", { mode: "number" }).notNull(),
    /** When a token ends. */
    expiresAtMs: bigint("expires_at_ms", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.origin, table.clientId, table.purpose] })],
);
