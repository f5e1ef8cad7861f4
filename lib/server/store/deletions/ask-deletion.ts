import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { and, count, eq, inArray } from "drizzle-orm";
import type { ConfirmedFile } from "@/lib/contracts/deletions";
import { type DeletionState } from "@/lib/domain/deletion";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { deletionItems, deletions } from "@/lib/server/store/schema/deletions";
import { scheduleFiles } from "@/lib/server/store/schema/files";
import {
  type Deletion,
  type Actor,
  AUDIT_KIND,
  OPEN_STATES,
  endPending,
  endDeletion,
  finishIfDone,
  lockDeletion,
  actionId,
  isDeletion,
} from "./deletion-rows";

/** The earlier request with this key; null: none. */
export async function findByKey(
  orm: Orm,
  company: string,
  personId: string,
  idempotencyKey: string,
): Promise<{ id: string; bodyHash: string } | null> {
  const [row] = await orm
    .select({ id: deletions.id, bodyHash: deletions.bodyHash })
    .from(deletions)
    .where(
      and(
        eq(deletions.company, company),
        eq(deletions.personId, personId),
        eq(deletions.idempotencyKey, idempotencyKey),
      ),
    );
  return row ?? null;
}

/** Additional file details from our mirror, for the audit log; omits unknown files. */
export async function readKnownFiles(
  orm: Orm,
  company: string,
  ids: readonly number[],
): Promise<Map<number, { fileType: string; projectName: string | null }>> {
  const rows = await orm
    .select({
      id: scheduleFiles.id,
      fileType: scheduleFiles.fileType,
      projectName: scheduleFiles.projectName,
    })
    .from(scheduleFiles)
    .where(and(eq(scheduleFiles.company, company), inArray(scheduleFiles.id, [...ids])));
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

/** A file to delete, with additional details for the audit log. */
type RequestedFile = {
  confirmed: ConfirmedFile;
  fileType: string | null;
  project: string | null;
};

/**
 * Stores a person's request, to start at `undoUntilMs`. Requests of one person in one company are serialised,
 * so that concurrent ones count against the limit.
 * @param request timestamps are epoch milliseconds; `files` without duplicates; `mostOpen` limits this person's
 * open deletions in this company, including this one
 * @returns its id; `known` if this key was used before; `too_many`
 */
export async function insertDeletion(
  { orm }: Pick<Database, "orm">,
  request: {
    company: string;
    person: { id: string; name: string; email: string };
    idempotencyKey: string;
    bodyHash: string;
    requestId: string;
    nowMs: number;
    undoUntilMs: number;
    files: readonly RequestedFile[];
    mostOpen: number;
  },
): Promise<{ id: string } | "known" | "too_many"> {
  const { company, person, idempotencyKey, bodyHash, requestId, nowMs, files } = request;
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.deletionsOfPerson, `${company} ${person.id}`);
    if ((await findByKey(tx, company, person.id, idempotencyKey)) !== null) return "known";
    if ((await countOpen(tx, company, person.id)) >= request.mostOpen) return "too_many";
    const [inserted] = await tx
      .insert(deletions)
      .values({
        company,
        personId: person.id,
        personName: person.name,
        personEmail: person.email,
        idempotencyKey,
        bodyHash,
        requestId,
        state: "waiting",
        requestedAt: new Date(nowMs),
        undoUntil: new Date(request.undoUntilMs),
      })
      .returning({ id: deletions.id });
    if (inserted === undefined) throw new Error("a deletion was not written");
    const { id } = inserted;
    await tx.insert(deletionItems).values(
      files.map(({ confirmed }, position) => ({
        company,
        deletionId: id,
        position,
        fileId: confirmed.id,
        confirmed,
      })),
    );
    await appendAudit(
      tx,
      company,
      nowMs,
      files.map(({ confirmed, fileType, project }, position) => ({
        kind: AUDIT_KIND,
        actionId: actionId(id, position),
        event: "delete.asked",
        person,
        requestId,
        detail: {
          file: {
            id: confirmed.id,
            name: confirmed.name,
            is_baseline: confirmed.is_baseline,
            created_at: confirmed.created_at,
            file_type: fileType,
            project,
          },
        },
      })),
    );
    return { id };
  });
}

async function countOpen(orm: Orm, company: string, personId: string): Promise<number> {
  const [row] = await orm
    .select({ open: count() })
    .from(deletions)
    .where(
      and(
        eq(deletions.company, company),
        eq(deletions.personId, personId),
        inArray(deletions.state, [...OPEN_STATES]),
      ),
    );
  return row?.open ?? 0;
}

/**
 * Undoes a deletion that is still waiting.
 * @returns its previous state; null: no such deletion
 */
export function undoDeletion(
  { orm }: Pick<Database, "orm">,
  given: { company: string; id: string; by: Actor; requestId: string; nowMs: number },
): Promise<DeletionState | null> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, given.company, given.id);
    if (deletion?.state === "waiting") await undo(tx, deletion, { ...given, by: given.by });
    return deletion?.state ?? null;
  });
}

/**
 * Stops a deletion: files not sent yet are kept. One that is still waiting is undone.
 * @returns its previous state; null: no such deletion
 */
export function stopDeletion(
  { orm }: Pick<Database, "orm">,
  given: { company: string; id: string; by: Actor; requestId: string; nowMs: number },
): Promise<DeletionState | null> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, given.company, given.id);
    if (deletion?.state === "waiting") await undo(tx, deletion, given);
    if (deletion?.state === "running" && deletion.stopRequestedAt === null) {
      const stopRequestedAt = new Date(given.nowMs);
      await tx
        .update(deletions)
        .set({ stopRequestedAt })
        .where(isDeletion(given.company, given.id));
      await endPending(tx, deletion, { ...given, outcome: "undone", because: "stopped" });
      await finishIfDone(tx, given.company, given.id, given.nowMs);
    }
    return deletion?.state ?? null;
  });
}

async function undo(
  tx: Transaction,
  deletion: Deletion,
  given: { by: Actor; requestId: string; nowMs: number },
): Promise<void> {
  await endPending(tx, deletion, { ...given, outcome: "undone", because: "undone" });
  await endDeletion(tx, deletion, "undone", given.nowMs);
}
