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

/** A DELETE may wait about a minute for room in the budget; a file that was read longer ago is read again. */
const READ_HOLDS_MS = 90_000;

/** Shorter than anybody who leads has to be silent until another does. */
const SAYS_SOMETHING_MS = 10_000;

/** The DELETE was not sent, and is not to be: what it was about has changed. */
class NotSent extends Error {}

/** One file and the way to it. */
export type Job = {
  file: DeletionFile;
  upstream: Upstream;
  lane: Lane;
  signal: AbortSignal;
  /** The leader's. */
  writer: Writer;
};

/** Creates what does one file of a deletion. */
export function createFileDeletion(options: {
  clock: Clock;
  log: Log;
  /** Called at each step, and waited for. */
  onStep?: (step: Step) => void | Promise<void>;
}) {
  const { clock, log } = options;
  const step = async (name: Step) => options.onStep?.(name);
  /** Failures in a row, by deletion. */
  const failures = new Map<string, number>();
  /** Since when files of unknown outcome have been there at each look of ours, on the steady clock. */
  const presentSinceMs = new LRUCache<string, number>({ max: 10_000 });

  /** Files whose intent is written and of which this process knows that it sent nothing, by name. */
  const unsent = new Set<string>();

  /**
   * Takes back an intent of this process that it did not act on, because the lead or the database was lost.
   * @returns false: it is none of these
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
      // Only shown: nothing depends on it.
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
          // The replay of a DELETE that was refused for its token, or booked again, is the same intent.
          if (!isIntended) {
            await step("ready");
            if (signal.aborted || isOld()) throw new NotSent();
            intendedMs = clock.nowMs();
            if (!(await writeIntent(writer, file, read, intendedMs))) throw new NotSent();
            isIntended = true;
            onIntent();
            await step("intended");
          }
          // The word that it was written may come late, and the lead be another's by now: to whom an intent
          // without an outcome is a DELETE whose sender died.
          unsent.add(nameOf(file));
          const askedMs = clock.monotonicMs();
          const isOurs = await writer.orm.transaction((tx) => isOnItsWay(tx, file, intendedMs));
          // A process that stood still in between knows nothing of now.
          const isStale = clock.monotonicMs() - askedMs > SAYS_SOMETHING_MS;
          if (signal.aborted || !isOurs || isStale || isOld()) throw new NotSent();
          unsent.delete(nameOf(file));
        },
      });
      await step("answered");
      await recordOutcome(job, isDeleted ? "deleted" : "already_gone");
    } catch (error) {
      if (error instanceof NotSent) {
        // Where somebody else has taken it for sent, that stands.
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
    const inARow = (failures.get(deletionId) ?? 0) + 1;
    failures.set(deletionId, inARow);
    const nowMs = clock.nowMs();
    const { retryAtMs } = failure;
    // One file's trouble does not hold up the others; a second in a row is everybody's.
    const isEverybodys = retryAtMs !== null || failure.isOurs || inARow > 1;
    await holdUp(job.writer, job.file, {
      nowMs,
      fileMs: retryAtMs ?? nowMs + backoffMs(job.file.looks + 1),
      deletionMs: isEverybodys ? (retryAtMs ?? nowMs + backoffMs(inARow)) : null,
    });
  }

  /** Reads a file of which it is not known whether it was deleted. Gone is final; there only after a while. */
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
