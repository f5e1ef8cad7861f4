import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { people } from "./people";
import { instant } from "./instant";

/** Connections made in a browser, one per company. Timestamps are on our clock. */
export const connections = pgTable(
  "connections",
  {
    /** The company's slug. */
    company: text().primaryKey(),
    name: text().notNull(),
    baseUrl: text("base_url").notNull(),
    clientId: text("client_id").notNull(),
    /** The client secret, encrypted for this base URL and client; null: removed. */
    sealed: text(),
    /** IANA name; null: that of the installation. */
    timeZone: text("time_zone"),
    /** The company's id in another system; null: none. */
    externalId: text("external_id"),
    createdById: uuid("created_by_id")
      .notNull()
      .references(() => people.id),
    createdAt: instant("created_at").notNull(),
    /** Since when it is paused; null: it isn't. */
    pausedAt: instant("paused_at"),
    /** When it was removed; its record and slug remain. Null: it wasn't. */
    removedAt: instant("removed_at"),
  },
  (table) => [
    check(
      "connections_secret_until_removed",
      sql`(${table.sealed} is null) = (${table.removedAt} is not null)`,
    ),
  ],
);

/** Recent checks of addresses and credentials, counted per person over all instances. On PostgreSQL's clock. */
export const connectionChecks = pgTable(
  "connection_checks",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    checkId: uuid("check_id").notNull().defaultRandom(),
    at: instant("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.checkId] }),
    index("connection_checks_at").on(table.at),
  ],
);
