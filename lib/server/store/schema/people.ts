import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FoundGrant } from "@/lib/domain/access-rules";
import type { Role } from "@/lib/domain/rights";
import { instant } from "./instant";

/** ID token claims from the identity provider, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** All accounts. Rows are disabled, never deleted, because the audit log refers to them. */
export const people = pgTable(
  "people",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Lower case. Unique among local accounts; identity providers may issue duplicates. */
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, PHC string; null: can't sign in with a password. */
    passwordHash: text("password_hash"),
    /** When the password was generated and printed, until the person chooses another one; null otherwise. */
    passwordPrintedAt: instant("password_printed_at"),
    /** Identifies the person at an identity provider, together with `subject`; null: a local account. */
    issuer: text(),
    subject: text(),
    /** The claims that access rules match, as of the last sign-in; null: a local account. */
    claims: jsonb().$type<Claims>(),
    /**
     * Grants derived from the claims, as last written to the audit log; null: none yet, or a local account.
     * Only for comparison and listing: authorisation evaluates the claims each time.
     */
    foundGrants: jsonb("found_grants").$type<readonly FoundGrant[]>(),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Read only by the previous version during a rolling update. */
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

/** Grants given manually, for one company or (null) for all. Grants derived from rules aren't stored. */
export const grants = pgTable(
  "grants",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    company: text(),
    role: text().$type<Role>().notNull(),
    /** Null: Plumbline itself, for example to the first administrator. */
    givenBy: uuid("given_by").references(() => people.id),
    givenAt: instant("given_at").notNull().defaultNow(),
  },
  (table) => [
    check(
      "grants_role_known",
      sql`${table.role} in ('viewer', 'member', 'operator', 'administrator')`,
    ),
    // The administrator role always applies to all companies.
    check(
      "grants_administrator_everywhere",
      sql`${table.role} <> 'administrator' or ${table.company} is null`,
    ),
    unique("grants_person_company").on(table.personId, table.company).nullsNotDistinct(),
  ],
);

/** Read only by the previous version during a rolling update. */
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

/** Login sessions. The cookie carries the secret; the row holds only its SHA-256. */
export const sessions = pgTable(
  "sessions",
  {
    /** Hex SHA-256 of the 256 random bits in the cookie. */
    id: text().primaryKey(),
    /** Public identifier, used in URLs and shown to users. */
    publicId: uuid("public_id").notNull().defaultRandom(),
    /** Same for the secret before the last renewal, and until when it is accepted from requests in flight. */
    previousId: text("previous_id"),
    previousUntil: instant("previous_until"),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** Updated at most every few minutes. */
    lastSeenAt: instant("last_seen_at").notNull(),
    /** When the person last authenticated: at sign-in, or again within the session. */
    authenticatedAt: instant("authenticated_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /** Client address at sign-in, in the form that rate limits use. */
    address: text().notNull(),
    /** For example "Firefox on Windows". */
    browser: text().notNull().default(""),
    /** The provider's session id (`sid`); null: it has none, or a local account. */
    providerSession: text("provider_session"),
    /** Encrypted ID token, for ending the provider's session; null: none. */
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

/** The authenticator app of a local account, from enrolment on. */
export const secondFactors = pgTable("second_factors", {
  personId: uuid("person_id")
    .primaryKey()
    .references(() => people.id, { onDelete: "cascade" }),
  /** The TOTP secret, encrypted. */
  sealed: text().notNull(),
  /** Null: enrolment isn't confirmed with a code yet, so sign-in doesn't require one. */
  onSince: instant("on_since"),
  /** Time step (RFC 6238) of the last code accepted; null: none. Its code and earlier ones are rejected. */
  lastStep: integer("last_step"),
});

/** Unused codes that each replace the authenticator app once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    /** Hex SHA-256 of the person's id and the code. */
    id: text().primaryKey(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
  },
  (table) => [index("recovery_codes_person").on(table.personId)],
);

/** Single-use links for setting a password: invitations and resets. */
export const passwordLinks = pgTable(
  "password_links",
  {
    /** Hex SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    purpose: text().$type<"invitation" | "reset">().notNull(),
    /** Null: created from the command line. */
    madeBy: uuid("made_by").references(() => people.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [index("password_links_person").on(table.personId)],
);

/** Logout tokens already processed, to reject replays. */
export const usedLogoutTokens = pgTable("used_logout_tokens", {
  /** Hex SHA-256 of its issuer and `jti`. */
  id: text().primaryKey(),
  expiresAt: instant("expires_at").notNull(),
});

/** Failed password attempts, counted in windows per address, network and account. Persisted across restarts. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    /** Counter key; see lib/server/auth/password-sign-in.ts. */
    bucket: text().primaryKey(),
    windowStartedAt: instant("window_started_at").notNull(),
    count: integer().notNull(),
  },
  (table) => [index("sign_in_attempts_window").on(table.windowStartedAt)],
);
