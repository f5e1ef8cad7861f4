import { LRUCache } from "lru-cache";
import {
  backoffMs,
  differences,
  nextLookMs,
  STILL_THERE_MS,
  type Outcome,
} from "@/lib/domain/deletion";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Writer } from "@/lib/server/store/database";
import {
  holdUp,
  isOnItsWay,
  withdrawIntent,
  writeIntent,
  writeLook,
  writeOutcome,
  writeWaiting,
} from "@/lib/server/store/deletions/work-on-deletions";
import type { DeletionFile } from "@/lib/server/store/deletions/deletion-rows";
import { toStorable } from "@/lib/server/store/storable";
import {
  isUpstreamFailure,
  type Lane,
  type Upstream,
  type UpstreamFailure,
} from "@/lib/server/upstream/upstream";

/**
 * Steps of the worker between writing to the database and sending: if killed at any of them, the rows tell its
 * successor the truth.
 */
export const STEPS = [
  /** The undo period is over, the deletion is running. */
  "started",
  /** The file was read again and matches the confirmed one. */
  "read",
  /** Token and budget are available, the DELETE is next; nothing is written yet. */
  "ready",
  /** The intent is durable, nothing is sent yet. */
  "intended",
  /** The response to the DELETE arrived; nothing is written yet. */
  "answered",
  /** An intent was withdrawn because upstream rejected the DELETE. */
  "withdrawn",
  /** A check of an unknown outcome was conclusive; nothing is written yet. */
  "looked",
  /** An outcome is durable. */
  "recorded",
] as const;
export type Step = (typeof STEPS)[number];

/**
 * A DELETE may wait about a minute for room in the budget; if the file was read longer ago, it is read again.
 */
const READ_HOLDS_MS = 90_000;

/** Shorter than the silence after which a leader is replaced. */
const CONFIRMATION_HOLDS_MS = 10_000;

/** The DELETE wasn't sent and must not be, because the situation has changed. */
class NotSent extends Error {}

/** One file and what is needed to process it. */
export type Job = {
  file: DeletionFile;
  upstream: Upstream;
  lane: Lane;
  signal: AbortSignal;
  /** The leader's. */
  writer: Writer;
};

/** Processes single files of deletions. */
export function createFileDeletion(options: {
  clock: Clock;
  log: Log;
  /** Called and awaited at each step. */
  onStep?: (step: Step) => void | Promise<void>;
}) {
  const { clock, log } = options;
  const step = async (name: Step) => options.onStep?.(name);
  /** Consecutive failures, by deletion, and when the first of them was, on the monotonic clock. */
  const failures = new Map<string, { count: number; sinceMs: number }>();
  /** Since when each file with an unknown outcome has existed at every check, on the monotonic clock. */
  const presentSinceMs = new LRUCache<string, number>({ max: 10_000 });

  /** Files with a recorded intent for which this process knows that nothing was sent, by name. */
  const unsent = new Set<string>();

  /**
   * Withdraws an intent of this process that wasn't acted on because leadership or the database was lost.
   * @returns false: no such intent
   */
  async function takeBack({ file, writer }: Pick<Job, "file" | "writer">): Promise<boolean> {
    if (!unsent.has(nameOf(file))) return false;
    await withdrawIntent(writer, file, "not_sent", clock.nowMs());
    unsent.delete(nameOf(file));
    return true;
  }

  /** @param onIntent called when the intent is durable */
  async function remove(job: Job, onIntent: () => void): Promise<void> {
    const { file, upstream, lane, signal, writer } = job;
    const onLongWait = ({ retryAtMs }: UpstreamFailure) => {
      if (retryAtMs === null) return;
      const { company, deletionId } = file;
      // For display only: nothing depends on it.
      writer.orm
        .transaction((tx) => writeWaiting(tx, company, deletionId, retryAtMs))
        .catch(() => {});
    };
    let isIntended = false;
    let intendedMs = 0;
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
          const isOld = () => clock.monotonicMs() - readAtMs > READ_HOLDS_MS;
          // A DELETE replayed after a 401, or with a repeated reservation, has the same intent.
          if (!isIntended) {
            await step("ready");
            if (signal.aborted || isOld()) throw new NotSent();
            intendedMs = clock.nowMs();
            if (!(await writeIntent(writer, file, read, intendedMs))) throw new NotSent();
            isIntended = true;
            onIntent();
            await step("intended");
          }
          // Confirmation of the write may arrive late, when another process leads, which treats an intent
          // without an outcome as a DELETE whose sender died.
          unsent.add(nameOf(file));
          const startedMs = clock.monotonicMs();
          const isOurs = await writer.orm.transaction((tx) => isOnItsWay(tx, file, intendedMs));
          // A process that stalled in between has outdated information.
          const isStale = clock.monotonicMs() - startedMs > CONFIRMATION_HOLDS_MS;
          if (signal.aborted || !isOurs || isStale || isOld()) throw new NotSent();
          unsent.delete(nameOf(file));
        },
      });
      await step("answered");
      await recordOutcome(job, isDeleted ? "deleted" : "already_gone");
    } catch (error) {
      if (error instanceof NotSent) {
        // If another process has treated it as sent, that stands.
        if (isIntended) await takeBack(job);
        return;
      }
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
      await withdrawIntent(job.writer, job.file, failure.reason, clock.nowMs());
      await step("withdrawn");
    }
    const steadyMs = clock.monotonicMs();
    const { count, sinceMs } = failures.get(deletionId) ?? { count: 0, sinceMs: steadyMs };
    const inARow = count + 1;
    failures.set(deletionId, { count: inARow, sinceMs });
    const nowMs = clock.nowMs();
    const { retryAtMs } = failure;
    // A rate limit has an end. A source that asks to be retried in a second, each time, is retried less and less often.
    const againMs = (failed: number) =>
      failure.reason === "rate_limited" && retryAtMs !== null
        ? retryAtMs
        : Math.max(retryAtMs ?? 0, nowMs + backoffMs(failed));
    // One file's failure doesn't hold up the others; a second consecutive one concerns all of them.
    const concernsAllFiles = retryAtMs !== null || failure.isOurs || inARow > 1;
    await holdUp(job.writer, job.file, {
      nowMs,
      failingForMs: steadyMs - sinceMs,
      fileMs: againMs(job.file.looks + 1),
      deletionMs: concernsAllFiles ? againMs(inARow) : null,
    });
  }

  /** Reads a file with an unknown outcome. Gone is final at once; existing only after a while. */
  async function lookIntoUnknown(job: Job): Promise<void> {
    const { file, upstream, lane, signal, writer } = job;
    const look = (nextMs: number) => writer.orm.transaction((tx) => writeLook(tx, file, nextMs));
    try {
      const { value: found } = await upstream.getScheduleFile(file.fileId, lane);
      if (signal.aborted) return;
      await step("looked");
      if (found === null) return await recordOutcome(job, "deleted", { because: "looked" });
      const name = nameOf(file);
      const sinceMs = presentSinceMs.get(name) ?? clock.monotonicMs();
      presentSinceMs.set(name, sinceMs);
      if (clock.monotonicMs() - sinceMs < STILL_THERE_MS) {
        await look(clock.nowMs() + nextLookMs(file.looks + 1));
        return;
      }
      await recordOutcome(job, "still_there", { because: "looked" });
      presentSinceMs.delete(name);
    } catch (error) {
      if (!isUpstreamFailure(error)) throw error;
      if (signal.aborted) return;
      const nextMs = clock.nowMs() + nextLookMs(file.looks + 1);
      await look(Math.max(nextMs, error.retryAtMs ?? 0));
    }
  }

  async function recordOutcome(
    { file, writer }: Job,
    outcome: Outcome,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    failures.delete(file.deletionId);
    if (!(await writeOutcome(writer, file, outcome, detail, clock.nowMs()))) return;
    const { company, deletionId, fileId } = file;
    log.info({ company, deletion: deletionId, file: fileId, outcome }, "a schedule file's outcome");
    await step("recorded");
  }

  return { remove, takeBack, lookIntoUnknown, recordOutcome, step, failures };
}

const nameOf = ({ company, deletionId, position }: DeletionFile) =>
  `${company} ${deletionId} ${position}`;
