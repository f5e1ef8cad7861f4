import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { people } from "./people";
import { instant } from "./instant";

/**
 * Links to a calendar of a company's quiet times and promises, for people's calendar programs. The link carries the
 * token; the row holds only its SHA-256. They don't expire.
 */
export const calendars = pgTable(
  "calendars",
  {
    id: uuid().primaryKey().defaultRandom(),
    company: text().notNull(),
    /** Hex SHA-256 of the token in the URL. */
    tokenHash: text("token_hash").notNull(),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => people.id),
    /** All timestamps here are on PostgreSQL's clock. */
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    uniqueIndex("calendars_token").on(table.tokenHash),
    index("calendars_company").on(table.company, table.createdAt),
    index("calendars_maker").on(table.madeBy),
  ],
);
