import {
  backoffMs,
  differences,
  FEW_FILES,
  LATE_MS,
  nextLookMs,
  UNDO_MS,
  type Outcome,
} from "@/lib/domain/deletion";
import type { Clock } from "@/lib/server/clock";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import {
  expireDeletion,
  holdUp,
  readNextFile,
  readOpenDeletions,
  startDeletion,
  withdrawIntent,
  writeIntent,
  writeLook,
  writeOutcome,
  writeWaiting,
  type OpenDeletion,
} from "@/lib/server/store/deletions/work-on-deletions";
import type { DeletionFile } from "@/lib/server/store/deletions/deletion-rows";
import type { DiskGuard } from "@/lib/server/store/disk";
import { toStorable } from "@/lib/server/store/storable";
import {
  isUpstreamFailure,
  type Lane,
  type Upstream,
  type UpstreamFailure,
} from "@/lib/server/upstream/upstream";

/**
 * Where the worker stands between what it does to the database and what it sends: wherever it is killed,
 * the rows tell its successor what is true.
 */
export const STEPS = [
  /** The time to undo is over, the deletion runs. */
  "started",
  /** The file was read again and is the one that was confirmed. */
  "read",
  /** Token and budget are there, the DELETE goes out next; nothing is written yet. */
  "ready",
  /** The intent is durable, nothing is sent yet. */
  "intended",
  /** The answer to the DELETE came; nothing is written yet. */
  "answered",
  /** An intent was taken back, because upstream refused the DELETE. */
  "withdrawn",
  /** A look at an unknown outcome told what is true; nothing is written yet. */
  "looked",
  /** An outcome is durable. */
  "recorded",
] as const;
export type Step = (typeof STEPS)[number];

/** Deletes; `stop` begins no other DELETE, and those that were sent have their outcome written before it resolves. */
export type DeletionWorker = Leadership & {
  /** This process took a deletion on, so that it knows about its ten seconds. */
  accept(id: string): void;
};

export type DeletionWorkerOptions = {
  database: Database;
  clock: Clock;
  /** 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  upstreams: ReadonlyMap<string, Upstream>;
  disk: DiskGuard;
  /** Called at each step, and waited for. */
  onStep?: (step: Step) => void | Promise<void>;
};

/** Work that comes due is found within this. */
const TICK_MS = 1_000;
/** The lock of a killed process is free at once, and its deletions must not wait. */
const LOCK_RETRY_MS = 2_000;
/** A DELETE may wait about a minute for room in the budget; a file that was read longer ago is read again. */
const READ_HOLDS_MS = 90_000;

/** The DELETE was not sent, and is not to be: what it was about has changed. */
class NotSent extends Error {}

/**
 * Creates the worker of one database: of all processes that share it, one deletes. The rows are the job,
 * so whoever leads goes on where the last one was.
 *
 * A file is deleted in three moves: it is read again and must be the one that was confirmed; the intent is
 * written; the DELETE is sent, once. Whatever happens after the intent ends in exactly one outcome, and
 * where the answer does not tell, reading the file again does.
 */
export function createDeletionWorker(options: DeletionWorkerOptions): DeletionWorker {
  const { database, clock, random, log, upstreams, disk } = options;
  const step = async (name: Step) => options.onStep?.(name);
  let wake = () => {};
  /** When this process saw a waiting deletion first, on the steady clock: no jump shortens the ten seconds. */
  const seenMs = new Map<string, number>();
  /** Failures in a row, by deletion. */
  const failures = new Map<string, number>();
  /** What is being worked on, by `queueOf`. */
  const queues = new Map<string, Promise<void>>();
  /** DELETEs whose intent is written and whose outcome is not. */
  const sending = new Set<Promise<void>>();

  async function lead(signal: AbortSignal): Promise<void> {
    let isLogged = false;
    let isFirst = true;
    while (!signal.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      try {
        await look(signal, isFirst);
        isFirst = false;
        isLogged = false;
      } catch (err) {
        if (!isLogged && !signal.aborted) log.warn({ err }, "deletions cannot be read");
        isLogged = true;
      }
      await clock.sleep(TICK_MS, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
    await Promise.allSettled(sending);
  }

  /** Starts what is due. @param isFirst of this term: what others let wait is dropped */
  async function look(signal: AbortSignal, isFirst: boolean): Promise<void> {
    const open = await readOpenDeletions(database.orm);
    const byQueue = new Map<string, OpenDeletion[]>();
    for (const deletion of open) {
      if (deletion.state === "running" || (await isStarted(deletion, isFirst))) {
        const key = queueOf(deletion);
        byQueue.set(key, [...(byQueue.get(key) ?? []), deletion]);
      }
    }
    const ids = new Set(open.map(({ id }) => id));
    for (const known of [seenMs, failures]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
    if (await disk.isLow()) return;
    for (const [key, deletions] of byQueue) {
      if (queues.has(key) || signal.aborted) continue;
      const queue = work(deletions, signal)
        .catch((err: unknown) => {
          if (!signal.aborted)
            log.warn({ err, company: deletions[0]?.company }, "a deletion is held up");
        })
        .finally(() => queues.delete(key));
      queues.set(key, queue);
    }
  }

  /** Whether a waiting deletion has begun by now. */
  async function isStarted(deletion: OpenDeletion, isFirst: boolean): Promise<boolean> {
    const { company, id } = deletion;
    const nowMs = clock.nowMs();
    const isOfAnother = !seenMs.has(id) && isFirst;
    const waitedMs = clock.monotonicMs() - (seenMs.get(id) ?? clock.monotonicMs());
    if (isOfAnother || waitedMs > UNDO_MS + LATE_MS) {
      if (await expireDeletion(database, company, id, nowMs)) {
        log.warn(
          { company, deletion: id },
          "a deletion that was interrupted while it waited is dropped",
        );
      }
      return false;
    }
    if (!seenMs.has(id)) seenMs.set(id, clock.monotonicMs());
    if (nowMs < deletion.undoUntilMs || waitedMs < UNDO_MS) return false;
    const isNow = await startDeletion(database.orm, company, id);
    if (isNow) await step("started");
    return isNow;
  }

  /** Does what is due of some deletions of one company, one file at a time. */
  async function work(deletions: readonly OpenDeletion[], signal: AbortSignal): Promise<void> {
    const [first] = deletions;
    const upstream = first && upstreams.get(first.company);
    // A company that is not configured any more: its deletions stay as they are.
    if (first === undefined || upstream === undefined) return;
    const { company, files } = first;
    const ids = deletions.map(({ id }) => id);
    while (!signal.aborted && !(await disk.isLow())) {
      const file = await readNextFile(database.orm, company, ids, clock.nowMs());
      if (file === null || signal.aborted) return;
      const job: Job = { file, upstream, lane: laneOf(files), signal };
      if (file.outcome === "unknown") await lookIntoUnknown(job);
      // Its sender died, or could not write what came of it.
      else if (file.sentAt !== null)
        await recordOutcome(job, "unknown", { because: "interrupted" });
      else {
        const removal: Promise<void> = remove(job, () => void sending.add(removal));
        await removal.finally(() => sending.delete(removal));
      }
    }
  }

  /** @param onIntent called when the intent is durable */
  async function remove(job: Job, onIntent: () => void): Promise<void> {
    const { file, upstream, lane, signal } = job;
    const onLongWait = ({ retryAtMs }: UpstreamFailure) => {
      if (retryAtMs === null) return;
      // Only shown: nothing depends on it.
      writeWaiting(database.orm, file.company, file.deletionId, retryAtMs).catch(() => {});
    };
    let isIntended = false;
    try {
      const { value: found } = await upstream.getScheduleFile(file.fileId, lane, onLongWait);
      const readAtMs = clock.monotonicMs();
      if (signal.aborted) return;
      if (found === null) return await recordOutcome(job, "already_gone");
      const read = toStorable(found);
      const differs = differences(file.confirmed, read);
      if (differs.length > 0) return await recordOutcome(job, "changed", { differs, file: read });
      await step("read");

      const { value: isDeleted } = await upstream.deleteScheduleFile(file.fileId, lane, {
        onLongWait,
        beforeSending: async () => {
          // The replay of a DELETE that was refused for its token is the same intent.
          if (isIntended) return;
          await step("ready");
          const isOld = clock.monotonicMs() - readAtMs > READ_HOLDS_MS;
          if (signal.aborted || isOld) throw new NotSent();
          if (!(await writeIntent(database, file, read, clock.nowMs()))) throw new NotSent();
          isIntended = true;
          onIntent();
          await step("intended");
        },
      });
      await step("answered");
      await recordOutcome(job, isDeleted ? "deleted" : "already_gone");
    } catch (error) {
      if (error instanceof NotSent) return;
      if (!isUpstreamFailure(error)) throw error;
      if (isIntended) await step("answered");
      else if (signal.aborted) return;
      await recordFailure(job, error, isIntended);
    }
  }

  async function recordFailure(
    job: Job,
    failure: UpstreamFailure,
    isIntended: boolean,
  ): Promise<void> {
    const { company, deletionId } = job.file;
    const line = { err: failure, company, deletion: deletionId, file: job.file.fileId };
    if (isIntended && failure.maybeExecuted) {
      log.warn(line, "it is not known whether a schedule file was deleted");
      return recordOutcome(job, "unknown", { because: failure.reason });
    }
    if (failure.reason === "forbidden") return recordOutcome(job, "forbidden");
    log.warn(line, "a schedule file was not deleted yet");
    if (isIntended) {
      await withdrawIntent(database, job.file, failure.reason, clock.nowMs());
      await step("withdrawn");
    }
    const inARow = (failures.get(deletionId) ?? 0) + 1;
    failures.set(deletionId, inARow);
    const nowMs = clock.nowMs();
    const { retryAtMs } = failure;
    // One file's trouble does not hold up the others; a second in a row is everybody's.
    const isEverybodys = retryAtMs !== null || failure.isOurs || inARow > 1;
    await holdUp(database, job.file, {
      nowMs,
      fileMs: retryAtMs ?? nowMs + backoffMs(job.file.looks + 1),
      deletionMs: isEverybodys ? (retryAtMs ?? nowMs + backoffMs(inARow)) : null,
    });
  }

  /** Reads a file of which it is not known whether it was deleted. */
  async function lookIntoUnknown(job: Job): Promise<void> {
    const { file, upstream, lane, signal } = job;
    try {
      const { value: found } = await upstream.getScheduleFile(file.fileId, lane);
      if (signal.aborted) return;
      await step("looked");
      await recordOutcome(job, found === null ? "deleted" : "still_there", { because: "looked" });
    } catch (error) {
      if (!isUpstreamFailure(error)) throw error;
      if (signal.aborted) return;
      const nextMs = clock.nowMs() + nextLookMs(file.looks + 1);
      await writeLook(database.orm, file, Math.max(nextMs, error.retryAtMs ?? 0));
    }
  }

  async function recordOutcome(
    { file }: Job,
    outcome: Outcome,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    failures.delete(file.deletionId);
    if (!(await writeOutcome(database, file, outcome, detail, clock.nowMs()))) return;
    const { company, deletionId, fileId } = file;
    log.info({ company, deletion: deletionId, file: fileId, outcome }, "a schedule file's outcome");
    await step("recorded");
  }

  return {
    ...createLeadership({
      database,
      of: "deletions",
      clock,
      random,
      log,
      retryMs: LOCK_RETRY_MS,
      lead,
    }),
    accept(id) {
      seenMs.set(id, clock.monotonicMs());
      wake();
    },
  };
}

/** One file and the way to it. */
type Job = { file: DeletionFile; upstream: Upstream; lane: Lane; signal: AbortSignal };

/** Somebody's few files never wait behind two hundred. */
const queueOf = ({ company, files }: OpenDeletion) => `${company} ${laneOf(files)}`;

const laneOf = (files: number): Lane => (files <= FEW_FILES ? "people" : "spare");
