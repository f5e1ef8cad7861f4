import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import { GIVE_UP_MS, nextLookMs, type Outcome } from "@/lib/domain/deletion";
import type { Orm, Writer } from "@/lib/server/store/database";
import { markGone, MAX_AHEAD_MS } from "@/lib/server/store/files/schedule-files";
import { deletionItems, deletions } from "@/lib/server/store/schema/deletions";
import { companies } from "@/lib/server/store/schema/record";
import {
  type Deletion,
  type DeletionFile,
  epochMs,
  endPending,
  endDeletion,
  finishIfDone,
  lockDeletion,
  logFiles,
  isDeletion,
  isItemOf,
  isItem,
  withItsDeletion,
  IS_PENDING,
  IS_ON_ITS_WAY,
  OPEN_STATES,
} from "./deletion-rows";

/** Input of the worker: open deletions, oldest first. */
export type OpenDeletion = Pick<Deletion, "company" | "id" | "state"> & {
  undoUntilMs: number;
  files: number;
  /** Its company is disconnected, or was until just now. */
  hasLeft: boolean;
};

export async function readOpenDeletions(orm: Orm): Promise<OpenDeletion[]> {
  const rows = await orm
    .select({
      company: deletions.company,
      id: deletions.id,
      state: deletions.state,
      undoUntil: deletions.undoUntil,
      files: sql<number>`(${orm
        .select({ count: sql`count(*)` })
        .from(deletionItems)
        .where(withItsDeletion)})::int`,
      hasLeft: sql<boolean>`${companies.leftAt} is not null`,
    })
    .from(deletions)
    .leftJoin(companies, eq(companies.slug, deletions.company))
    // Literal, so that it matches the partial index.
    .where(sql`${deletions.state} in ('waiting', 'running')`)
    .orderBy(asc(deletions.requestedAt), asc(deletions.id))
    .prepare("read_open_deletions")
    .execute();
  return rows.map(({ undoUntil, ...row }) => ({ ...row, undoUntilMs: undoUntil.getTime() }));
}

/** Starts a deletion whose undo period is over. @returns false: no longer waiting */
export async function startDeletion(orm: Orm, company: string, id: string): Promise<boolean> {
  const started = await orm
    .update(deletions)
    .set({ state: "running" })
    .where(and(isDeletion(company, id), eq(deletions.state, "waiting")))
    .returning({ id: deletions.id });
  return started.length > 0;
}

/** Expires a deletion that is still waiting: nothing is deleted. @returns false: no longer waiting */
export function expireDeletion(
  { orm }: Writer,
  company: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, id);
    if (deletion?.state !== "waiting") return false;
    const because = "interrupted while it waited";
    await endPending(tx, deletion, { outcome: "expired", because, by: null, nowMs });
    await endDeletion(tx, deletion, "expired", nowMs);
    return true;
  });
}

/**
 * Ends a deletion whose company has left: files not sent are kept, even if the company returns. Files that were
 * sent keep it open until their outcome is known.
 */
export function endLeftDeletion(
  { orm }: Writer,
  company: string,
  id: string,
  nowMs: number,
): Promise<void> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, id);
    if (deletion === null || !OPEN_STATES.includes(deletion.state)) return;
    const because = "the company left";
    await endPending(tx, deletion, { outcome: "expired", because, by: null, nowMs });
    if (deletion.state === "waiting") await endDeletion(tx, deletion, "done", nowMs);
    else await finishIfDone(tx, company, id, nowMs);
  });
}

/**
 * The next file to process: first those whose DELETE was in flight when its sender died, then unknown outcomes
 * due for a check, then files not sent yet.
 * @param ids deletions of one company, whose files are processed one at a time
 */
export async function readNextFile(
  orm: Orm,
  company: string,
  ids: readonly string[],
  nowMs: number,
): Promise<DeletionFile | null> {
  const hasPassed = (at: PgColumn) =>
    or(isNull(at), lte(at, new Date(nowMs)), gt(at, new Date(nowMs + MAX_AHEAD_MS)));
  const isDue = hasPassed(deletionItems.nextLookAt);
  const [row] = await orm
    .select({ file: deletionItems })
    .from(deletions)
    .innerJoin(deletionItems, withItsDeletion)
    .where(
      and(
        eq(deletions.company, company),
        inArray(deletions.id, [...ids]),
        eq(deletions.state, "running"),
        or(
          IS_ON_ITS_WAY,
          and(eq(deletionItems.outcome, "unknown"), isDue),
          and(IS_PENDING, isDue, hasPassed(deletions.waitingUntil)),
        ),
      ),
    )
    .orderBy(
      sql`${IS_PENDING}`,
      asc(deletions.requestedAt),
      asc(deletions.id),
      asc(deletionItems.position),
    )
    .limit(1);
  return row?.file ?? null;
}

/**
 * Records the intent before the DELETE is sent.
 * @returns false when it must not be sent: stopped, or taken over by another process
 */
export function writeIntent(
  { orm }: Writer,
  file: DeletionFile,
  read: ReadScheduleFile,
  nowMs: number,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, file.company, file.deletionId);
    if (deletion?.state !== "running" || deletion.stopRequestedAt !== null) return false;
    const sent = await tx
      .update(deletionItems)
      .set({ sentAt: new Date(nowMs), readFile: read })
      .where(and(isItem(file), IS_PENDING))
      .returning({ position: deletionItems.position });
    if (sent.length === 0) return false;
    await logFiles(tx, deletion, [file.position], "delete.sent", { file: read }, nowMs);
    return true;
  });
}

/** Whether an intent recorded at `sentMs` (epoch milliseconds) still has no outcome. */
export async function isOnItsWay(orm: Orm, file: DeletionFile, sentMs: number): Promise<boolean> {
  const [row] = await orm
    .select({ position: deletionItems.position })
    .from(deletionItems)
    .where(and(isItem(file), IS_ON_ITS_WAY, eq(deletionItems.sentAt, new Date(sentMs))));
  return row !== undefined;
}

/** Withdraws an intent: nothing was sent, or upstream rejected the DELETE without effect. */
export async function withdrawIntent(
  { orm }: Writer,
  file: DeletionFile,
  because: string,
  nowMs: number,
): Promise<void> {
  await orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, file.company, file.deletionId);
    const withdrawn = await tx
      .update(deletionItems)
      .set({ sentAt: null, readFile: null })
      .where(and(isItem(file), IS_ON_ITS_WAY))
      .returning({ position: deletionItems.position });
    if (deletion === null || withdrawn.length === 0) return;
    await logFiles(tx, deletion, [file.position], "delete.not-sent", { because }, nowMs);
    // A stop request in the meantime didn't include this file, because it counted as sent.
    if (deletion.stopRequestedAt === null) return;
    await endPending(tx, deletion, { outcome: "undone", because: "stopped", by: null, nowMs });
    await finishIfDone(tx, file.company, file.deletionId, nowMs);
  });
}

/**
 * Records a file's outcome. Never replaces a final one.
 * @param detail for the audit log
 * @returns false: it already had a final outcome
 */
export function writeOutcome(
  { orm }: Writer,
  file: DeletionFile,
  outcome: Outcome,
  detail: Readonly<Record<string, unknown>>,
  nowMs: number,
): Promise<boolean> {
  const { company, deletionId, position, fileId } = file;
  const isUnknown = outcome === "unknown";
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, deletionId);
    const written = await tx
      .update(deletionItems)
      .set({
        outcome,
        outcomeAt: new Date(nowMs),
        looks: 0,
        nextLookAt: isUnknown ? new Date(nowMs + nextLookMs(0)) : null,
      })
      .where(
        and(
          isItem(file),
          isUnknown
            ? isNull(deletionItems.outcome)
            : or(isNull(deletionItems.outcome), eq(deletionItems.outcome, "unknown")),
        ),
      )
      .returning({ position: deletionItems.position });
    if (deletion === null || written.length === 0) return false;
    if (outcome === "deleted" || outcome === "already_gone") {
      await markGone(tx, company, fileId, nowMs);
    }
    if (deletion.waitingUntil !== null) {
      await tx.update(deletions).set({ waitingUntil: null }).where(isDeletion(company, deletionId));
    }
    await finishIfDone(tx, company, deletionId, nowMs);
    await logFiles(tx, deletion, [position], "delete.outcome", { ...detail, outcome }, nowMs);
    return true;
  });
}

/** Records an inconclusive check of an unknown outcome; the next one is due at `nextMs`, epoch milliseconds. */
export async function writeLook(orm: Orm, file: DeletionFile, nextMs: number): Promise<void> {
  await orm
    .update(deletionItems)
    .set({ looks: file.looks + 1, nextLookAt: new Date(nextMs) })
    .where(and(isItem(file), eq(deletionItems.outcome, "unknown")));
}

/** Records until when a deletion has to wait, epoch milliseconds. */
export async function writeWaiting(
  orm: Orm,
  company: string,
  id: string,
  untilMs: number,
): Promise<void> {
  await orm
    .update(deletions)
    .set({ waitingUntil: new Date(untilMs) })
    .where(and(isDeletion(company, id), eq(deletions.state, "running")));
}

/**
 * Postpones a file for which nothing was sent because of a failure: retried at `fileMs`. Its deletion continues
 * with the other files, but waits until `deletionMs` if given or if no other file is ready; after an hour
 * without progress, by the monotonic clock too, it ends.
 * @param at epoch milliseconds; `deletionMs` null: other files may well succeed; `failingForMs`: since this process saw
 *   the first failure in a row, on the monotonic clock
 */
export async function holdUp(
  { orm }: Writer,
  file: DeletionFile,
  at: { nowMs: number; failingForMs: number; fileMs: number; deletionMs: number | null },
): Promise<void> {
  const { company, deletionId } = file;
  const { nowMs, failingForMs, fileMs, deletionMs } = at;
  await orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, deletionId);
    if (deletion?.state !== "running") return;
    await tx
      .update(deletionItems)
      .set({ looks: file.looks + 1, nextLookAt: new Date(fileMs) })
      .where(and(isItem(file), IS_PENDING));
    const [progress] = await tx
      .select({
        lastOutcomeMs: epochMs(sql`max(${deletionItems.outcomeAt})`),
        isAnyReady: sql<boolean>`bool_or(${IS_PENDING} and (${deletionItems.nextLookAt} is null
          or ${deletionItems.nextLookAt} <= ${new Date(nowMs).toISOString()}::timestamptz))`,
      })
      .from(deletionItems)
      .where(isItemOf(company, deletionId));
    const lastMs = Math.max(deletion.undoUntil.getTime(), progress?.lastOutcomeMs ?? 0);
    if (Math.min(nowMs - lastMs, failingForMs) >= GIVE_UP_MS) {
      const because = "an hour without progress";
      await endPending(tx, deletion, { outcome: "expired", because, by: null, nowMs });
      await finishIfDone(tx, company, deletionId, nowMs);
    } else if (deletionMs !== null || progress?.isAnyReady !== true) {
      await writeWaiting(tx, company, deletionId, deletionMs ?? fileMs);
    }
  });
}
