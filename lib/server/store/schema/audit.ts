import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { Outcome } from "@/lib/domain/deletion";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * What people did, per company: rows are only ever added (a trigger refuses everything else, and the app's
 * role may do nothing else), and each is signed together with the one before it. On our clock.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    company: text().notNull(),
    /** 1, 2, 3, ... without a gap. */
    seq: bigint({ mode: "number" }).notNull(),
    at: instant("at").notNull(),
    /** An `ACTION_KINDS` word. */
    kind: text().notNull(),
    /** Ties the rows of one action together: of one file of one deletion, say. */
    actionId: text("action_id").notNull(),
    /**
     * What happened: `delete.asked`, `delete.sent`, `delete.outcome`, ... An action is named by what stands
     * before the dot, its first row is the one that ends in `.asked`, and what came of it in `.outcome`.
     */
    event: text().notNull(),
    /** Null: Plumbline itself. No reference: the log outlives everything. */
    personId: uuid("person_id"),
    personName: text("person_name"),
    personEmail: text("person_email"),
    requestId: text("request_id"),
    detail: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Which key signed the row; `none`: it was written before there were keys. */
    keyId: text("key_id").notNull(),
    /** Hex HMAC-SHA-256 of the row before and of this row's own content; without a key, plain SHA-256. */
    hash: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.seq] }),
    index("audit_log_action").on(table.company, table.actionId),
  ],
);

/**
 * Where each action begins and how it ended, so that one among millions of rows is found. It is written
 * with the log and says nothing by itself: what is shown is read from the log.
 */
export const auditActions = pgTable(
  "audit_actions",
  {
    company: text().notNull(),
    actionId: text("action_id").notNull(),
    /** Of the action's first row. */
    seq: bigint({ mode: "number" }).notNull(),
    askedAt: instant("asked_at").notNull(),
    personEmail: text("person_email"),
    /** Id of the file that it is about, and its name as `foldText` leaves it: what a search looks into. */
    fileId: text("file_id"),
    searchText: text("search_text").notNull(),
    /** The last that was logged; null: none yet. */
    outcome: text().$type<Outcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.actionId] }),
    index("audit_actions_asked").on(table.company, table.askedAt, table.seq),
    index("audit_actions_person").on(table.company, table.personEmail, table.askedAt, table.seq),
    index("audit_actions_outcome").on(table.company, table.outcome, table.askedAt, table.seq),
    index("audit_actions_file").on(table.company, table.fileId),
  ],
);

/**
 * The end of each company's chain: whoever adds to it locks this row. It is also kept outside the database,
 * where nobody who can write here can set it back.
 */
export const auditHeads = pgTable("audit_heads", {
  company: text().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
});
