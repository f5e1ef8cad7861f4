import { boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { DisplaySettings } from "@/lib/contracts/wall";
import { instant } from "./instant";

/** Wall displays, and screens waiting to be paired. A display may show several companies. On our clock. */
export const displays = pgTable(
  "displays",
  {
    id: uuid().primaryKey().defaultRandom(),
    settings: jsonb().$type<DisplaySettings>().notNull(),
    createdAt: instant("created_at").notNull(),
    createdById: uuid("created_by_id").notNull(),
    createdByName: text("created_by_name").notNull(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    revokedByName: text("revoked_by_name"),
    /** Hex SHA-256 of the credential in the screen's cookie; null until the screen has fetched it. */
    secretHash: text("secret_hash").unique(),
    /** The credential before the last rotation, and until when it remains valid. */
    previousHash: text("previous_hash").unique(),
    previousUntil: instant("previous_until"),
    rotatedAt: instant("rotated_at").notNull(),
    /** Whether the newest credential was ever used; until then the previous one remains valid. */
    isSecretUsed: boolean("is_secret_used").notNull(),
    lastSeenAt: instant("last_seen_at"),
    lastPaintAt: instant("last_paint_at"),
    snapshotAgeSeconds: integer("snapshot_age_seconds"),
    build: text(),
    userAgent: text("user_agent"),
    /** When its last report was stored, and when it loaded the page that the report is about. */
    reportedAt: instant("reported_at"),
    loadedAt: instant("loaded_at"),
    reloadRequestedAt: instant("reload_requested_at"),
  },
  (table) => [index("displays_created").on(table.createdAt)],
);

/** Pairing codes. Single use; expire after ten minutes or five wrong attempts. */
export const pairings = pgTable(
  "pairings",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Hex SHA-256 of the code. */
    codeHash: text("code_hash").notNull().unique(),
    /** Hex SHA-256 of the secret in the waiting screen's cookie. */
    secretHash: text("secret_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** Wrong codes entered by any user while this pairing was open. */
    wrongTries: integer("wrong_tries").notNull().default(0),
    /** Set once, when the code was entered. */
    displayId: uuid("display_id"),
    claimedAt: instant("claimed_at"),
    /** When the screen first received its credential. */
    deliveredAt: instant("delivered_at"),
  },
  (table) => [index("pairings_expires").on(table.expiresAt)],
);
