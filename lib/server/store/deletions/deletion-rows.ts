import { and, eq, notExists, sql, type SQL } from "drizzle-orm";
import { type DeletionState } from "@/lib/domain/deletion";
import { appendAudit, type AuditEvent } from "@/lib/server/store/audit/append-audit";
import type { Orm, Transaction } from "@/lib/server/store/database";
import { deletionItems, deletions } from "@/lib/server/store/schema/deletions";

/** Deletions and their files. All changes are written to the audit log in the same transaction. */

export type Deletion = typeof deletions.$inferSelect;

export type DeletionFile = typeof deletionItems.$inferSelect;

/** The person who did something; null: Plumbline itself. */
export type Actor = AuditEvent["person"];

export const AUDIT_KIND = "file-deletion";

export const OPEN_STATES: readonly DeletionState[] = ["waiting", "running"];

export const epochMs = (instant: SQL) =>
  sql<number | null>`extract(epoch from ${instant}) * 1000`.mapWith((value: string) =>
    Number(value),
  );

/** Sets one outcome for every file for which nothing was sent. */
export async function endPending(
  tx: Transaction,
  deletion: Deletion,
  given: {
    outcome: "undone" | "expired";
    because: string;
    by: Actor;
    /** Of the request that caused it; omitted: the deletion's. */
    requestId?: string;
    nowMs: number;
  },
): Promise<void> {
  const { outcome, because, by, requestId, nowMs } = given;
  const ended = await tx
    .update(deletionItems)
    .set({ outcome, outcomeAt: new Date(nowMs), nextLookAt: null })
    .where(and(isItemOf(deletion.company, deletion.id), IS_PENDING))
    .returning({ position: deletionItems.position });
  const positions = ended.map(({ position }) => position).toSorted((a, b) => a - b);
  await logFiles(tx, deletion, positions, "delete.outcome", { outcome, because }, nowMs, {
    person: by,
    requestId: requestId ?? deletion.requestId,
  });
}

export async function endDeletion(
  tx: Orm,
  deletion: Deletion,
  state: DeletionState,
  nowMs: number,
): Promise<void> {
  await tx
    .update(deletions)
    .set({ state, finishedAt: new Date(nowMs), waitingUntil: null })
    .where(isDeletion(deletion.company, deletion.id));
}

export async function finishIfDone(
  tx: Orm,
  company: string,
  id: string,
  nowMs: number,
): Promise<void> {
  await tx
    .update(deletions)
    .set({ state: "done", finishedAt: new Date(nowMs), waitingUntil: null })
    .where(
      and(
        isDeletion(company, id),
        eq(deletions.state, "running"),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(deletionItems)
            .where(and(isItemOf(company, id), sql`not ${IS_FINAL}`)),
        ),
      ),
    );
}

/** Every change locks the deletion's row, which serialises stop requests and intents. */
export async function lockDeletion(
  tx: Transaction,
  company: string,
  id: string,
): Promise<Deletion | null> {
  const [row] = await tx.select().from(deletions).where(isDeletion(company, id)).for("update");
  return row ?? null;
}

export function logFiles(
  tx: Transaction,
  deletion: Deletion,
  positions: readonly number[],
  event: string,
  detail: Readonly<Record<string, unknown>>,
  nowMs: number,
  by: Pick<AuditEvent, "person" | "requestId"> = { person: null, requestId: deletion.requestId },
): Promise<void> {
  return appendAudit(
    tx,
    deletion.company,
    nowMs,
    positions.map((position) => ({
      kind: AUDIT_KIND,
      actionId: actionId(deletion.id, position),
      event,
      detail,
      ...by,
    })),
  );
}

export const actionId = (deletionId: string, position: number) => `${deletionId}/${position}`;

export const isDeletion = (company: string, id: string) =>
  and(eq(deletions.company, company), eq(deletions.id, id));

export const isItemOf = (company: string, id: string) =>
  and(eq(deletionItems.company, company), eq(deletionItems.deletionId, id));

export const isItem = ({ company, deletionId, position }: DeletionFile) =>
  and(isItemOf(company, deletionId), eq(deletionItems.position, position));

export const withItsDeletion = and(
  eq(deletionItems.company, deletions.company),
  eq(deletionItems.deletionId, deletions.id),
);

export const IS_FINAL = sql`(${deletionItems.outcome} is not null and ${deletionItems.outcome} <> 'unknown')`;

/** Nothing was sent, and there is no outcome. */
export const IS_PENDING = sql`(${deletionItems.outcome} is null and ${deletionItems.sentAt} is null)`;

/** Its DELETE may be in flight. */
export const IS_ON_ITS_WAY = sql`(${deletionItems.outcome} is null and ${deletionItems.sentAt} is not null)`;
