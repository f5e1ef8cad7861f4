import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lte,
  notExists,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { ConfirmedFile } from "@/lib/contracts/deletions";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import { GIVE_UP_MS, nextLookMs, type DeletionState, type Outcome } from "@/lib/domain/deletion";
import { appendAudit, type AuditEvent } from "./audit";
import type { Database, Orm, Transaction } from "./database";
import { markGone } from "./schedule-files";
import { deletionItems, deletions } from "./schema/deletions";
import { scheduleFiles } from "./schema/files";

/** Deletions and their files. Everything that changes one stands in the audit log by the same transaction. */

export type Deletion = typeof deletions.$inferSelect;
export type DeletionFile = typeof deletionItems.$inferSelect;
/** Who did something; null: Plumbline itself. */
type Actor = AuditEvent["person"];

const KIND = "file-deletion";
const OPEN: readonly DeletionState[] = ["waiting", "running"];

/** What was asked under a key before; null: nothing. */
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

/** What else our mirror knows of some files, for the audit log; those that it does not know are left out. */
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

/** A file to delete, with what else we know of it for the audit log. */
export type AskedFile = {
  confirmed: ConfirmedFile;
  fileType: string | null;
  project: string | null;
};

/** Any number that nothing else locks. */
const PERSON_LOCK = 7_186_005;

/**
 * Writes down what a person asked for, to begin at `undoUntilMs`. A person's requests in a company take
 * turns, so that as many as come at once are counted one after the other.
 * @param asked instants are epoch milliseconds; `files` without duplicates; `mostOpen` deletions may be
 *   under way of this person in this company, this one included
 * @returns its id; `known` when the person asked for something under this key before; `too_many`
 */
export async function insertDeletion(
  { orm }: Pick<Database, "orm">,
  asked: {
    company: string;
    person: { id: string; name: string; email: string };
    idempotencyKey: string;
    bodyHash: string;
    requestId: string;
    nowMs: number;
    undoUntilMs: number;
    files: readonly AskedFile[];
    mostOpen: number;
  },
): Promise<{ id: string } | "known" | "too_many"> {
  const { company, person, idempotencyKey, bodyHash, requestId, nowMs, files } = asked;
  return orm.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(${PERSON_LOCK}, hashtext(${`${company} ${person.id}`}))`,
    );
    if ((await findByKey(tx, company, person.id, idempotencyKey)) !== null) return "known";
    if ((await countOpen(tx, company, person.id)) >= asked.mostOpen) return "too_many";
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
        undoUntil: new Date(asked.undoUntilMs),
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
        kind: KIND,
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
        inArray(deletions.state, [...OPEN]),
      ),
    );
  return row?.open ?? 0;
}

/** A company's deletion with its files in order; null when there is none of that id. */
export async function readDeletion(
  orm: Orm,
  company: string,
  id: string,
): Promise<{ deletion: Deletion; files: DeletionFile[] } | null> {
  const [deletion] = await orm.select().from(deletions).where(isDeletion(company, id));
  if (deletion === undefined) return null;
  const files = await orm
    .select()
    .from(deletionItems)
    .where(isOf(company, id))
    .orderBy(asc(deletionItems.position));
  return { deletion, files };
}

/** A deletion without its files, but with how far they are; instants of outcomes are null before the first. */
export type DeletionSummary = Deletion & {
  files: number;
  /** Files with their last outcome. */
  settled: number;
  /** Files that nothing was sent for yet. */
  pending: number;
  firstOutcomeMs: number | null;
  lastOutcomeMs: number | null;
  /** Of the first file. */
  name: string;
};

const epochMs = (instant: SQL) =>
  sql<number | null>`extract(epoch from ${instant}) * 1000`.mapWith((value: string) =>
    Number(value),
  );

/** Those that are under way, and one person's since an instant; newest first. */
export async function listDeletions(
  orm: Orm,
  company: string,
  given: { personId: string; sinceMs: number; limit: number },
): Promise<DeletionSummary[]> {
  const rows = await orm
    .select({
      deletion: deletions,
      files: sql<number>`count(*)::int`,
      settled: sql<number>`count(*) filter (where ${IS_FINAL})::int`,
      pending: sql<number>`count(*) filter (where ${IS_PENDING})::int`,
      firstOutcomeMs: epochMs(sql`min(${deletionItems.outcomeAt})`),
      lastOutcomeMs: epochMs(sql`max(${deletionItems.outcomeAt})`),
      name: sql<string>`min(${deletionItems.confirmed} ->> 'name') filter (where ${deletionItems.position} = 0)`,
    })
    .from(deletions)
    .innerJoin(deletionItems, joined)
    .where(
      and(
        eq(deletions.company, company),
        or(
          inArray(deletions.state, [...OPEN]),
          and(
            eq(deletions.personId, given.personId),
            gte(deletions.requestedAt, new Date(given.sinceMs)),
          ),
        ),
      ),
    )
    .groupBy(deletions.company, deletions.id)
    .orderBy(desc(deletions.requestedAt), desc(deletions.id))
    .limit(given.limit);
  return rows.map(({ deletion, ...progress }) => ({ ...deletion, ...progress }));
}

/**
 * Undoes a deletion that is still waiting.
 * @returns its state before; null when there is none of that id
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
 * Stops a deletion: what was not sent stays where it is. One that is still waiting is undone.
 * @returns its state before; null when there is none of that id
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
  await end(tx, deletion, "undone", given.nowMs);
}

/** What the worker looks at: deletions under way, oldest first. */
export type OpenDeletion = Pick<Deletion, "company" | "id" | "state"> & {
  undoUntilMs: number;
  files: number;
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
        .where(joined)})::int`,
    })
    .from(deletions)
    // Written out, as the partial index has it.
    .where(sql`${deletions.state} in ('waiting', 'running')`)
    .orderBy(asc(deletions.requestedAt), asc(deletions.id));
  return rows.map(({ undoUntil, ...row }) => ({ ...row, undoUntilMs: undoUntil.getTime() }));
}

/** Begins a deletion whose time to undo is over. @returns false: it is not waiting any more */
export async function startDeletion(orm: Orm, company: string, id: string): Promise<boolean> {
  const started = await orm
    .update(deletions)
    .set({ state: "running" })
    .where(and(isDeletion(company, id), eq(deletions.state, "waiting")))
    .returning({ id: deletions.id });
  return started.length > 0;
}

/** Drops a deletion that is still waiting: nothing of it is deleted. @returns false: it is not waiting any more */
export function expireDeletion(
  { orm }: Pick<Database, "orm">,
  company: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, id);
    if (deletion?.state !== "waiting") return false;
    const because = "interrupted while it waited";
    await endPending(tx, deletion, { outcome: "expired", because, by: null, nowMs });
    await end(tx, deletion, "expired", nowMs);
    return true;
  });
}

/**
 * The next file to do something about: first those that a DELETE was on its way for when its sender died,
 * then unknown outcomes that are due to be looked into, then those that were not sent.
 * @param ids deletions of one company whose files are done one at a time
 */
export async function readNextFile(
  orm: Orm,
  company: string,
  ids: readonly string[],
  nowMs: number,
): Promise<DeletionFile | null> {
  const now = new Date(nowMs);
  const isDue = or(isNull(deletionItems.nextLookAt), lte(deletionItems.nextLookAt, now));
  const [row] = await orm
    .select({ file: deletionItems })
    .from(deletions)
    .innerJoin(deletionItems, joined)
    .where(
      and(
        eq(deletions.company, company),
        inArray(deletions.id, [...ids]),
        eq(deletions.state, "running"),
        or(
          IS_ON_ITS_WAY,
          and(eq(deletionItems.outcome, "unknown"), isDue),
          and(
            IS_PENDING,
            isDue,
            or(isNull(deletions.waitingUntil), lte(deletions.waitingUntil, now)),
          ),
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
 * The intent: stands before the DELETE is sent.
 * @returns false when it must not be sent: stopped, or somebody else's by now
 */
export function writeIntent(
  { orm }: Pick<Database, "orm">,
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
      .where(and(isFile(file), IS_PENDING))
      .returning({ position: deletionItems.position });
    if (sent.length === 0) return false;
    await log(tx, deletion, [file.position], "delete.sent", { file: read }, nowMs);
    return true;
  });
}

/** Takes an intent back: upstream refused the DELETE before it did anything. */
export async function withdrawIntent(
  { orm }: Pick<Database, "orm">,
  file: DeletionFile,
  because: string,
  nowMs: number,
): Promise<void> {
  await orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, file.company, file.deletionId);
    const withdrawn = await tx
      .update(deletionItems)
      .set({ sentAt: null, readFile: null })
      .where(and(isFile(file), IS_ON_ITS_WAY))
      .returning({ position: deletionItems.position });
    if (deletion === null || withdrawn.length === 0) return;
    await log(tx, deletion, [file.position], "delete.not-sent", { because }, nowMs);
    // It is too late for somebody's wish to stop to find it among those that were not sent.
    if (deletion.stopRequestedAt === null) return;
    await endPending(tx, deletion, { outcome: "undone", because: "stopped", by: null, nowMs });
    await finishIfDone(tx, file.company, file.deletionId, nowMs);
  });
}

/**
 * What became of a file. Never replaces a final outcome.
 * @param detail for the audit log
 * @returns false when it had one already
 */
export function writeOutcome(
  { orm }: Pick<Database, "orm">,
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
          isFile(file),
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
    await log(tx, deletion, [position], "delete.outcome", { ...detail, outcome }, nowMs);
    return true;
  });
}

/** A look into an unknown outcome told nothing: the next follows at `nextLookMs`, epoch milliseconds. */
export async function writeLook(orm: Orm, file: DeletionFile, nextMs: number): Promise<void> {
  await orm
    .update(deletionItems)
    .set({ looks: file.looks + 1, nextLookAt: new Date(nextMs) })
    .where(and(isFile(file), eq(deletionItems.outcome, "unknown")));
}

/** Shows that a deletion has to wait, epoch milliseconds. */
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
 * Nothing was sent for a file, because something failed: it is tried again at `fileMs`. Its deletion goes on
 * with the others, but waits until `deletionMs` when that is given or no other can be done; without any
 * progress for an hour it ends.
 * @param at epoch milliseconds; `deletionMs` null: the others may well succeed
 */
export async function holdUp(
  { orm }: Pick<Database, "orm">,
  file: DeletionFile,
  at: { nowMs: number; fileMs: number; deletionMs: number | null },
): Promise<void> {
  const { company, deletionId } = file;
  const { nowMs, fileMs, deletionMs } = at;
  await orm.transaction(async (tx) => {
    const deletion = await lockDeletion(tx, company, deletionId);
    if (deletion?.state !== "running") return;
    await tx
      .update(deletionItems)
      .set({ looks: file.looks + 1, nextLookAt: new Date(fileMs) })
      .where(and(isFile(file), IS_PENDING));
    const [progress] = await tx
      .select({
        lastOutcomeMs: epochMs(sql`max(${deletionItems.outcomeAt})`),
        isAnyReady: sql<boolean>`bool_or(${IS_PENDING} and (${deletionItems.nextLookAt} is null
          or ${deletionItems.nextLookAt} <= ${new Date(nowMs).toISOString()}::timestamptz))`,
      })
      .from(deletionItems)
      .where(isOf(company, deletionId));
    const lastMs = Math.max(deletion.undoUntil.getTime(), progress?.lastOutcomeMs ?? 0);
    if (nowMs - lastMs >= GIVE_UP_MS) {
      const because = "an hour without progress";
      await endPending(tx, deletion, { outcome: "expired", because, by: null, nowMs });
      await finishIfDone(tx, company, deletionId, nowMs);
    } else if (deletionMs !== null || progress?.isAnyReady !== true) {
      await writeWaiting(tx, company, deletionId, deletionMs ?? fileMs);
    }
  });
}

/** Gives every file that nothing was sent for one outcome. */
async function endPending(
  tx: Transaction,
  deletion: Deletion,
  given: {
    outcome: "undone" | "expired";
    because: string;
    by: Actor;
    /** Of whoever asked for it; null: nobody did. */
    requestId?: string;
    nowMs: number;
  },
): Promise<void> {
  const { outcome, because, by, requestId, nowMs } = given;
  const ended = await tx
    .update(deletionItems)
    .set({ outcome, outcomeAt: new Date(nowMs), nextLookAt: null })
    .where(and(isOf(deletion.company, deletion.id), IS_PENDING))
    .returning({ position: deletionItems.position });
  const positions = ended.map(({ position }) => position).toSorted((a, b) => a - b);
  await log(tx, deletion, positions, "delete.outcome", { outcome, because }, nowMs, {
    person: by,
    requestId: requestId ?? deletion.requestId,
  });
}

async function end(
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

async function finishIfDone(tx: Orm, company: string, id: string, nowMs: number): Promise<void> {
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
            .where(and(isOf(company, id), sql`not ${IS_FINAL}`)),
        ),
      ),
    );
}

/** Whoever changes a deletion holds its row, so that a wish to stop and an intent never cross. */
async function lockDeletion(
  tx: Transaction,
  company: string,
  id: string,
): Promise<Deletion | null> {
  const [row] = await tx.select().from(deletions).where(isDeletion(company, id)).for("update");
  return row ?? null;
}

function log(
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
      kind: KIND,
      actionId: actionId(deletion.id, position),
      event,
      detail,
      ...by,
    })),
  );
}

const actionId = (deletionId: string, position: number) => `${deletionId}/${position}`;

const isDeletion = (company: string, id: string) =>
  and(eq(deletions.company, company), eq(deletions.id, id));

const isOf = (company: string, id: string) =>
  and(eq(deletionItems.company, company), eq(deletionItems.deletionId, id));

const isFile = ({ company, deletionId, position }: DeletionFile) =>
  and(isOf(company, deletionId), eq(deletionItems.position, position));

const joined = and(
  eq(deletionItems.company, deletions.company),
  eq(deletionItems.deletionId, deletions.id),
);

const IS_FINAL = sql`(${deletionItems.outcome} is not null and ${deletionItems.outcome} <> 'unknown')`;
/** Nothing was sent for it, and it has no outcome. */
const IS_PENDING = sql`(${deletionItems.outcome} is null and ${deletionItems.sentAt} is null)`;
/** Its DELETE may be on its way. */
const IS_ON_ITS_WAY = sql`(${deletionItems.outcome} is null and ${deletionItems.sentAt} is not null)`;
