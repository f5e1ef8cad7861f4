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
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { ConfirmedFile } from "@/lib/contracts/deletions";
import type { DeletionState, Outcome } from "@/lib/domain/deletion";

/** What people asked to delete: the rows are the job, so that it survives anything. On our clock. */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const deletions = pgTable(
  "deletions",
  {
    company: text().notNull(),
    id: uuid().notNull().defaultRandom(),
    personId: uuid("person_id").notNull(),
    /** As they were called when they asked. */
    personName: text("person_name").notNull(),
    personEmail: text("person_email").notNull(),
    idempotencyKey: uuid("idempotency_key").notNull(),
    /** Hex SHA-256 of the body in a canonical form: the same key with another body is refused. */
    bodyHash: text("body_hash").notNull(),
    requestId: text("request_id").notNull(),
    state: text().$type<DeletionState>().notNull(),
    requestedAt: instant("requested_at").notNull(),
    undoUntil: instant("undo_until").notNull(),
    stopRequestedAt: instant("stop_requested_at"),
    /** Nothing is sent before this, because the last attempt failed; null: nothing holds it up. */
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

/** One file of a deletion. `sent_at` is the intent: it stands before anything is sent. */
export const deletionItems = pgTable(
  "deletion_items",
  {
    company: text().notNull(),
    deletionId: uuid("deletion_id").notNull(),
    position: integer().notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    confirmed: jsonb().$type<ConfirmedFile>().notNull(),
    /** The file as upstream gave it just before; null: not read, or not there. */
    readFile: jsonb("read_file").$type<ReadScheduleFile>(),
    /** When the DELETE was about to be sent; null: it was not, and is not on its way. */
    sentAt: instant("sent_at"),
    outcome: text().$type<Outcome>(),
    outcomeAt: instant("outcome_at"),
    /** When a later look at the file contradicted a final outcome, and what it saw; null: none did. */
    contradictedAt: instant("contradicted_at"),
    contradictedBy: text("contradicted_by").$type<"there" | "gone">(),
    /** Attempts that told nothing: to delete it, or once it is unknown to settle it by reading. */
    looks: integer().notNull().default(0),
    /** When the next such attempt is due; null: as soon as it is its turn. */
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
