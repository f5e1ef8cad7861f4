import { sql } from "drizzle-orm";
import { check, pgTable, smallint } from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** Removal of the demo: one row once an administrator has requested it, so that it isn't created again. On our clock. */
export const demoRemoval = pgTable(
  "demo_removal",
  {
    id: smallint().primaryKey().default(1),
    requestedAt: instant("requested_at").notNull(),
    /** When its data was gone; null: still being deleted. */
    finishedAt: instant("finished_at"),
  },
  (table) => [check("demo_removal_one", sql`${table.id} = 1`)],
);
