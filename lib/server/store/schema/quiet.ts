import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { Weekly } from "@/lib/domain/quiet/planned-quiet";
import { people } from "./people";
import { instant } from "./instant";

/**
 * Planned quiet times, in which no data is expected. Retained permanently, since they explain how incidents
 * ended; a past quiet time can't be changed. Timestamps are on the API clock, like the record's.
 */
export const expectations = pgTable(
  "expectations",
  {
    id: uuid().primaryKey().defaultRandom(),
    company: text().notNull(),
    /** Null: every partner. */
    partnerName: text("partner_name"),
    /** Null: every endpoint. The key is the name at the time. */
    endpointId: text("endpoint_id"),
    endpointKey: text("endpoint_key"),
    reason: text().notNull(),
    fromAt: instant("from_at").notNull(),
    /** Null: every week until ended manually. */
    untilAt: instant("until_at"),
    /** Null: once. */
    weekly: jsonb().$type<Weekly>(),
    madeById: uuid("made_by_id")
      .notNull()
      .references(() => people.id),
    madeByName: text("made_by_name").notNull(),
    madeAt: instant("made_at").notNull(),
    endedAt: instant("ended_at"),
    endedByName: text("ended_by_name"),
  },
  (table) => [
    check("expectations_end", sql`${table.untilAt} is null or ${table.untilAt} >= ${table.fromAt}`),
    check(
      "expectations_once_ends",
      sql`${table.untilAt} is not null or jsonb_typeof(${table.weekly}) = 'object'`,
    ),
    index("expectations_company").on(table.company, table.fromAt),
  ],
);
