import { pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { people } from "./people";

/** When somebody last looked at a company's overview, by our clock: the end of their last visit that was one. */
export const lastLooks = pgTable(
  "last_looks",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** Its slug; empty: the list of all companies. */
    company: text().notNull(),
    lookedAt: timestamp("looked_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.company] })],
);
