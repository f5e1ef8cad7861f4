import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { SharedThen, Shows } from "@/lib/contracts/links";
import { people } from "./people";
import { instant } from "./instant";

/**
 * Links that show a partner or an incident to people without an account. The link carries the token; the row
 * holds only its SHA-256.
 */
export const shareLinks = pgTable(
  "share_links",
  {
    id: uuid().primaryKey().defaultRandom(),
    company: text().notNull(),
    /** Hex SHA-256 of the token in the URL. */
    tokenHash: text("token_hash").notNull(),
    /** Identifies the link's preview image; gives no other access. */
    previewId: text("preview_id").notNull(),
    /** The shared partner, or the partner of the shared incident. */
    partnerName: text("partner_name").notNull(),
    /** The incident's number in its company; null: the partner is shared. */
    incidentId: integer("incident_id"),
    shows: text().$type<Shows>().notNull(),
    /** State at the time of sharing; later renames and deletions don't affect it. */
    stored: jsonb("stored").$type<SharedThen>().notNull(),
    forWhom: text("for_whom"),
    hasDetailsInPreview: boolean("has_details_in_preview").notNull(),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => people.id),
    /** All timestamps here are on PostgreSQL's clock. */
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    revokedByName: text("revoked_by_name"),
    openedCount: integer("opened_count").notNull().default(0),
    lastOpenedAt: instant("last_opened_at"),
  },
  (table) => [
    check("share_links_shows_known", sql`${table.shows} in ('then', 'now', 'both')`),
    uniqueIndex("share_links_token").on(table.tokenHash),
    uniqueIndex("share_links_preview").on(table.previewId),
    index("share_links_company").on(table.company, table.createdAt),
    index("share_links_maker").on(table.madeBy),
  ],
);
