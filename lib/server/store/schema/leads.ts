import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** Kinds of work that one process at a time does, named like their locks. */
export type Lead =
  | "collector"
  | "deletions"
  | "files"
  | "backups"
  | "deliveries"
  | "slack"
  | "fleetIncidents";

/** Current leader per kind of work; fenced writes check it. */
export const leads = pgTable("leads", {
  of: text().$type<Lead>().primaryKey(),
  /** Unique per term, also across database restores. */
  term: uuid().notNull(),
  /** Start of the term, on PostgreSQL's clock. */
  since: instant("since").notNull(),
});
