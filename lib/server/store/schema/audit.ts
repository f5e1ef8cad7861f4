import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Outcome } from "@/lib/domain/deletion";
import { instant } from "./instant";

/**
 * Audit log of user actions, per company. Append-only: enforced by a trigger and by the app role's privileges.
 * Each row is signed together with the one before it. On our clock.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    company: text().notNull(),
    /** 1, 2, 3, ... without gaps. */
    seq: bigint({ mode: "number" }).notNull(),
    at: instant("at").notNull(),
    /** One of `ACTION_KINDS`. */
    kind: text().notNull(),
    /** Groups the rows of one action, for example of one file in a deletion. */
    actionId: text("action_id").notNull(),
    /**
     * What happened: `delete.asked`, `delete.sent`, `delete.outcome`, ... The part before the dot names the
     * action; its first row ends in `.asked`, the row with its result in `.outcome`.
     */
    event: text().notNull(),
    /** Null: Plumbline itself. No foreign key, because the log outlives all other rows. */
    personId: uuid("person_id"),
    personName: text("person_name"),
    personEmail: text("person_email"),
    requestId: text("request_id"),
    detail: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** The key that signed the row; `none`: written before signing keys were introduced. */
    keyId: text("key_id").notNull(),
    /** Hex HMAC-SHA-256 over the previous hash and this row's content; plain SHA-256 without a key. */
    hash: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.seq] }),
    index("audit_log_action").on(table.company, table.actionId),
  ],
);

/**
 * Where each action starts and how it ended, for searching among millions of rows. An index written with the
 * log; what is displayed is read from the log.
 */
export const auditActions = pgTable(
  "audit_actions",
  {
    company: text().notNull(),
    actionId: text("action_id").notNull(),
    /** Of the action's first row. */
    seq: bigint({ mode: "number" }).notNull(),
    requestedAt: instant("asked_at").notNull(),
    personEmail: text("person_email"),
    /** Id of the file concerned, and its name normalised by `foldText`: the searchable text. */
    fileId: text("file_id"),
    searchText: text("search_text").notNull(),
    /** The last one logged; null: none yet. */
    outcome: text().$type<Outcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.actionId] }),
    index("audit_actions_asked").on(table.company, table.requestedAt, table.seq),
    index("audit_actions_person").on(
      table.company,
      table.personEmail,
      table.requestedAt,
      table.seq,
    ),
    index("audit_actions_outcome").on(table.company, table.outcome, table.requestedAt, table.seq),
    index("audit_actions_file").on(table.company, table.fileId),
  ],
);

/**
 * Last row of each company's chain; appending locks this row. Also recorded outside the database, so that write
 * access to the database isn't enough to roll it back.
 */
export const auditHeads = pgTable("audit_heads", {
  company: text().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
});
