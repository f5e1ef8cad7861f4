import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { ConfirmedFile } from "@/lib/contracts/deletions";
import type { DeletionState, Outcome } from "@/lib/domain/deletion";
import { instant } from "./instant";

/** Deletion requests. The rows are the job, so it survives restarts. On our clock. */
export const deletions = pgTable(
  "deletions",
  {
    company: text().notNull(),
    id: uuid().notNull().defaultRandom(),
    personId: uuid("person_id").notNull(),
    /** Name at the time of the request. */
    personName: text("person_name").notNull(),
    personEmail: text("person_email").notNull(),
    idempotencyKey: uuid("idempotency_key").notNull(),
    /** Hex SHA-256 of the canonical body: the same key with another body is rejected. */
    bodyHash: text("body_hash").notNull(),
    requestId: text("request_id").notNull(),
    state: text().$type<DeletionState>().notNull(),
    requestedAt: instant("requested_at").notNull(),
    undoUntil: instant("undo_until").notNull(),
    stopRequestedAt: instant("stop_requested_at"),
    /** Nothing is sent before this, because the last attempt failed; null: no wait. */
    waitingUntil: instant("waiting_until"),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.id] }),
    unique("deletions_key").on(table.company, table.personId, table.idempotencyKey),
    index("deletions_open")
      .on(table.undoUntil)
      .where(sql`${table.state} in ('waiting', 'running')`),
    check(
      "deletions_state_known",
      sql`${table.state} in ('waiting', 'running', 'done', 'undone', 'expired')`,
    ),
  ],
);

/** One file of a deletion. `sent_at` is the intent: set before anything is sent. */
export const deletionItems = pgTable(
  "deletion_items",
  {
    company: text().notNull(),
    deletionId: uuid("deletion_id").notNull(),
    position: integer().notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    confirmed: jsonb().$type<ConfirmedFile>().notNull(),
    /** The file as read from upstream just before; null: not read, or missing. */
    readFile: jsonb("read_file").$type<ReadScheduleFile>(),
    /** When the intent to send the DELETE was recorded; null: not sent and not in flight. */
    sentAt: instant("sent_at"),
    outcome: text().$type<Outcome>(),
    outcomeAt: instant("outcome_at"),
    /** When a later read contradicted a final outcome, and its result; null: never. */
    contradictedAt: instant("contradicted_at"),
    contradictedBy: text("contradicted_by").$type<"there" | "gone">(),
    /** Inconclusive attempts: to delete the file or, once the outcome is unknown, to resolve it by reading. */
    looks: integer().notNull().default(0),
    /** When the next attempt is due; null: immediately, in turn. */
    nextLookAt: instant("next_look_at"),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.deletionId, table.position] }),
    index("deletion_items_unsettled")
      .on(table.nextLookAt)
      .where(sql`${table.outcome} = 'unknown'`),
    index("deletion_items_final")
      .on(table.company, table.outcomeAt)
      .where(
        sql`${table.contradictedAt} is null and ${table.outcome} in ('deleted', 'already_gone', 'still_there')`,
      ),
  ],
);
