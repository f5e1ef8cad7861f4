import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FoundGrant } from "@/lib/domain/access-rules";
import type { Role } from "@/lib/domain/rights";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What a person told us they are, at their provider: claims of an ID token by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** Everybody who may sign in. Rows are disabled, never deleted: the audit log refers to them. */
export const people = pgTable(
  "people",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Lower-case. Of local accounts no two are the same; a provider may give anybody any. */
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, PHC string; null: cannot sign in with a password. */
    passwordHash: text("password_hash"),
    /** Who somebody is at a provider, with `subject`; null: a local account. */
    issuer: text(),
    subject: text(),
    /** What rules find grants by, as of the last sign-in; null: a local account. */
    claims: jsonb().$type<Claims>(),
    /**
     * What rules found by them when the audit log was last told; null: nothing yet, or a local account. For comparing
     * and listing only: who may what is derived from the claims each time.
     */
    foundGrants: jsonb("found_grants").$type<readonly FoundGrant[]>(),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Only the version before this one reads it, while both run. */
    role: text().$type<Role>().notNull().default("viewer"),
  },
  (table) => [
    check("people_email_lower_case", sql`${table.email} = lower(${table.email})`),
    check(
      "people_issuer_with_subject",
      sql`(${table.issuer} is null) = (${table.subject} is null)`,
    ),
    check("people_role_known", sql`${table.role} in ('viewer', 'operator', 'administrator')`),
    uniqueIndex("people_local_email")
      .on(table.email)
      .where(sql`${table.issuer} is null`),
    uniqueIndex("people_subject").on(table.issuer, table.subject),
  ],
);

/** What somebody was made by hand, at one company or (null) at all. What rules find is in no row. */
export const grants = pgTable(
  "grants",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    company: text(),
    role: text().$type<Role>().notNull(),
    /** Null: Plumbline itself, such as to the first administrator. */
    givenBy: uuid("given_by").references(() => people.id),
    givenAt: instant("given_at").notNull().defaultNow(),
  },
  (table) => [
    check(
      "grants_role_known",
      sql`${table.role} in ('viewer', 'member', 'operator', 'administrator')`,
    ),
    // Administrators are so for all companies.
    check(
      "grants_administrator_everywhere",
      sql`${table.role} <> 'administrator' or ${table.company} is null`,
    ),
    unique("grants_person_company").on(table.personId, table.company).nullsNotDistinct(),
  ],
);

/** Only the version before this one reads it, while both run. */
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
    /** What people and addresses name it by. */
    publicId: uuid("public_id").notNull().defaultRandom(),
    /** The same of the secret before the last renewal, and until when requests under way with it are answered. */
    previousId: text("previous_id"),
    previousUntil: instant("previous_until"),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** Written at most every few minutes. */
    lastSeenAt: instant("last_seen_at").notNull(),
    /** When somebody last proved who they are, by signing in or again within the session. */
    authenticatedAt: instant("authenticated_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /** Where it was signed in from, as the limits against guessing see addresses. */
    address: text().notNull(),
    /** A few words such as "Firefox on Windows". */
    browser: text().notNull().default(""),
    /** The provider's name for its own session (`sid`); null: it has none, or a local account. */
    providerSession: text("provider_session"),
    /** The ID token that ends the provider's session, sealed; null without one. */
    idToken: text("id_token"),
  },
  (table) => [
    index("sessions_person_address").on(table.personId, table.address),
    index("sessions_created").on(table.createdAt),
    uniqueIndex("sessions_public_id").on(table.publicId),
    uniqueIndex("sessions_previous_id").on(table.previousId),
    index("sessions_provider_session").on(table.providerSession),
  ],
);

/** Links by which somebody sets a password, once: those invited, and those who forgot theirs. */
export const passwordLinks = pgTable(
  "password_links",
  {
    /** Hex SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    purpose: text().$type<"invitation" | "reset">().notNull(),
    /** Null: whoever has the machine. */
    madeBy: uuid("made_by").references(() => people.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [index("password_links_person").on(table.personId)],
);

/** Logout tokens that were taken, so that none is taken twice. */
export const usedLogoutTokens = pgTable("used_logout_tokens", {
  /** Hex SHA-256 of its issuer and `jti`. */
  id: text().primaryKey(),
  expiresAt: instant("expires_at").notNull(),
});

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
