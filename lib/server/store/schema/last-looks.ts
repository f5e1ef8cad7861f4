import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { people } from "./people";
import { instant } from "./instant";

/**
 * When a person last visited a company's overview: the end of the last visit long enough to count. On our
 * clock.
 */
export const lastLooks = pgTable(
  "last_looks",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** Company slug; empty: the list of all companies. */
    company: text().notNull(),
    lookedAt: instant("looked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.company] })],
);
