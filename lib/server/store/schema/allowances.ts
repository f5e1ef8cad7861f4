import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ALLOWANCE_PERIODS } from "@/lib/domain/calls/allowance";
import { people } from "./people";
import { instant } from "./instant";

/** How many API calls partners permit, as people entered it; at most one per company and partner. On our clock. */
export const allowances = pgTable(
  "allowances",
  {
    id: uuid().primaryKey().defaultRandom(),
    company: text().notNull(),
    partnerName: text("partner_name").notNull(),
    calls: integer().notNull(),
    per: text().$type<(typeof ALLOWANCE_PERIODS)[number]>().notNull(),
    note: text(),
    byId: uuid("by_id")
      .notNull()
      .references(() => people.id),
    byName: text("by_name").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [
    check("allowances_calls", sql`${table.calls} > 0`),
    check("allowances_per", sql`${table.per} in ('hour', 'day')`),
    // Hashed, because a name can be longer than an index entry.
    uniqueIndex("allowances_partner").on(table.company, sql`md5(${table.partnerName})`),
  ],
);
