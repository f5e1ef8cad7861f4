import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { TokenScope } from "@/lib/domain/tokens/narrow-grants";
import { people } from "./people";
import { instant } from "./instant";

/** Credentials of programs that call our API. The row holds only the SHA-256 of the token. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Hex SHA-256. */
    tokenHash: text("token_hash").notNull(),
    /** The token's last four characters, which are part of its checksum. */
    hint: text().notNull(),
    name: text().notNull(),
    scope: text().$type<TokenScope>().notNull(),
    /** Slugs; null: all companies of its person, including future ones. */
    companies: text().array(),
    /** Null: a service token, which belongs to no person. */
    personId: uuid("person_id").references(() => people.id),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => people.id),
    /** All timestamps here are on PostgreSQL's clock. */
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Last use, accurate to about a minute; null: never. */
    lastUsedAt: instant("last_used_at"),
    /** Network of the last use, a /24 or a /48. */
    lastNetwork: text("last_network"),
    uses: bigint({ mode: "number" }).notNull().default(0),
    /** The start of its rest that its person was told about, which moves when they sign in; null: none. */
    restAnnouncedFor: instant("rest_announced_for"),
  },
  (table) => [
    check("api_tokens_scope_known", sql`${table.scope} in ('read', 'act')`),
    check(
      "api_tokens_service_reads_named",
      sql`${table.personId} is not null or (${table.scope} = 'read' and ${table.companies} is not null)`,
    ),
    uniqueIndex("api_tokens_hash").on(table.tokenHash),
    index("api_tokens_person").on(table.personId),
  ],
);

/** Requests of each token in the current minute and in work, counted for all instances together. */
export const apiTokenTurns = pgTable("api_token_turns", {
  tokenId: uuid("token_id")
    .primaryKey()
    .references(() => apiTokens.id, { onDelete: "cascade" }),
  windowStartedAt: instant("window_started_at").notNull(),
  /** Tenths of requests within the window. */
  used: integer().notNull().default(0),
  /** Requests in work: their id, and until when they count, epoch milliseconds. */
  inWork: jsonb("in_work").$type<Readonly<Record<string, number>>>().notNull().default({}),
});

/** The networks from which each token has been used. */
export const apiTokenNetworks = pgTable(
  "api_token_networks",
  {
    tokenId: uuid("token_id")
      .notNull()
      .references(() => apiTokens.id, { onDelete: "cascade" }),
    /** A /24 or a /48. */
    network: text().notNull(),
    firstUsedAt: instant("first_used_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.network] })],
);
