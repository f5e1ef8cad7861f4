import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";

/**
 * Fleet incidents: one partner in trouble at several companies. Derived from the companies' incidents and written by
 * one leader. Timestamps are on the API clock, less its difference from ours where that exceeds 5 s, because a fleet
 * incident has companies of several APIs.
 */

/** Retained permanently. Nothing in a row is about one company. */
export const fleetIncidents = pgTable(
  "fleet_incidents",
  {
    id: uuid().primaryKey(),
    /** See `partnerKey`. */
    partner: text().notNull(),
    /** Start of the 30 minutes in which the trouble began that opened it. */
    fromAt: instant("from_at").notNull(),
    openedAt: instant("opened_at").notNull(),
    /** When a company last joined or left. */
    changedAt: instant("changed_at").notNull(),
    /** Null: it is open. */
    closedAt: instant("closed_at"),
  },
  (table) => [
    uniqueIndex("open_fleet_incidents")
      .on(table.partner)
      .where(sql`${table.closedAt} is null`),
  ],
);

/** The companies' incidents in fleet incidents; each is in one at most. */
export const fleetMembers = pgTable(
  "fleet_members",
  {
    company: text().notNull(),
    incidentId: integer("incident_id").notNull(),
    fleetId: uuid("fleet_id")
      .notNull()
      .references(() => fleetIncidents.id),
    /** The observation with which it joined. */
    joinedAt: instant("joined_at").notNull(),
    /**
     * The observation that found that it had ended. Null: it hasn't, or the fleet incident ended first and it went on
     * alone.
     */
    leftAt: instant("left_at"),
    /** How far its API's clock was ahead when the fleet incident last changed while it was in it; null: not recorded. */
    shiftMs: bigint("shift_ms", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.incidentId] }),
    index("members_of_fleet_incident").on(table.fleetId, table.company),
  ],
);

/** How far the record has been applied to fleet incidents; one row. */
export const fleetProgress = pgTable(
  "fleet_progress",
  {
    id: integer().primaryKey().default(1),
    untilAt: instant("until_at").notNull(),
  },
  (table) => [check("one_fleet_progress", sql`${table.id} = 1`)],
);
