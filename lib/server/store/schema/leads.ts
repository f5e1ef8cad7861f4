import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** What one process of a database does at a time, by the name of its lock. */
export type Lead = "collector" | "deletions" | "files" | "backups" | "deliveries";

/** Who leads what now, a row for each kind of work: what leaders write is compared with it. */
export const leads = pgTable("leads", {
  of: text().$type<Lead>().primaryKey(),
  /** Another for each leader, and never the same again, not in a restored database either. */
  term: uuid().notNull(),
  /** Since when it has the lead, on PostgreSQL's clock. */
  since: timestamp({ withTimezone: true, precision: 3 }).notNull(),
});
