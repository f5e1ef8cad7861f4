import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { Role } from "@/lib/domain/rights";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Everybody who may sign in. Rows are disabled, never deleted: the audit log refers to them. */
export const people = pgTable(
  "people",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Lower-case. */
    email: text().notNull().unique(),
    name: text().notNull(),
    /** argon2id, PHC string; null: cannot sign in with a password. */
    passwordHash: text("password_hash"),
    role: text().$type<Role>().notNull(),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    check("people_email_lower_case", sql`${table.email} = lower(${table.email})`),
    check("people_role_known", sql`${table.role} in ('viewer', 'operator', 'administrator')`),
  ],
);

/** Which companies a person may see. Administrators see all and need no row. */
export const memberships = pgTable(
  "memberships",
  {
    company: text().notNull(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.personId] }),
    index("memberships_person").on(table.personId),
  ],
);

/** Sessions of people. The cookie carries the secret; the row holds its SHA-256 only. */
export const sessions = pgTable(
  "sessions",
  {
    /** Hex SHA-256 of the 256 random bits in the cookie. */
    id: text().primaryKey(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    /** The end in any case; it also ends when `lastSeenAt` is too old. */
    expiresAt: instant("expires_at").notNull(),
    /** Written at most every few minutes. */
    lastSeenAt: instant("last_seen_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Where it was signed in from, as the limits against guessing see addresses. */
    address: text().notNull(),
  },
  (table) => [
    index("sessions_person_address").on(table.personId, table.address),
    index("sessions_created").on(table.createdAt),
  ],
);

/** Guesses at passwords, counted in windows: per address, and per account. Survives restarts. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    /** Which counter; see lib/server/auth/sign-in-limits.ts. */
    bucket: text().primaryKey(),
    windowStartedAt: instant("window_started_at").notNull(),
    count: integer().notNull(),
  },
  (table) => [index("sign_in_attempts_window").on(table.windowStartedAt)],
);
