import { backoffMs, FEW_FILES, LATE_MS, UNDO_MS } from "@/lib/domain/deletion";
import type { Clock } from "@/lib/server/clock";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import {
  endLeftDeletion,
  expireDeletion,
  readNextFile,
  readOpenDeletions,
  startDeletion,
  type OpenDeletion,
} from "@/lib/server/store/deletions/work-on-deletions";
import { readPause } from "@/lib/server/store/pauses/pauses";
import type { DiskGuard } from "@/lib/server/store/disk";
import { endsAllWork } from "@/lib/server/store/fence";
import { type Lane, type Upstream } from "@/lib/server/upstream/upstream";
import { createFileDeletion, type Job, type Step } from "./delete-file";

/**
 * Deletes files; `stop` starts no other DELETE and resolves once the outcomes of those in flight are written.
 */
export type DeletionWorker = Leadership & {
  /** Registers a deletion accepted by this process, which then measures its ten seconds. */
  accept(id: string): void;
};

export type DeletionWorkerOptions = {
  database: Database;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  upstreams: ReadonlyMap<string, Upstream>;
  disk: DiskGuard;
  /** Called and awaited at each step. */
  onStep?: (step: Step) => void | Promise<void>;
};

/** Interval of checks for due work. */
const TICK_MS = 1_000;
/** A killed process's lock is free at once, and its deletions must not wait. */
const LOCK_RETRY_MS = 2_000;

/**
 * Creates the worker of one database: among all processes that share it, one deletes. The rows are the job, so
 * each leader continues where the previous one stopped.
 *
 * A file is deleted in three steps: it is read again and must match the confirmed one; the intent is written;
 * the DELETE is sent, once. Whatever happens after the intent ends in exactly one outcome; if the response is
 * inconclusive, reading the file again decides.
 */
export function createDeletionWorker(options: DeletionWorkerOptions): DeletionWorker {
  const { database, clock, random, log, upstreams, disk } = options;
  const { remove, lookIntoUnknown, takeBack, recordOutcome, step, failures } =
    createFileDeletion(options);
  let wake = () => {};
  /**
   * When this process first saw a waiting deletion, on the monotonic clock, so that no clock jump shortens the
   * ten seconds; `-Infinity`: an earlier leader left it.
   */
  const seenMs = new Map<string, number>();
  /** Work in progress, by `queueOf`. */
  const queues = new Map<string, Promise<void>>();
  /**
   * Deletions and queues that an error of ours holds up: how often in a row, and until when they rest, on the monotonic
   * clock.
   */
  const heldUp = new Map<string, { count: number; untilMs: number }>();
  /** DELETEs with an intent but no outcome yet. */
  const sending = new Set<Promise<void>>();
  /** Deletions whose company's departure was logged. */
  const leftLogged = new Set<string>();
  let isPauseLogged = false;

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    let isLogged = false;
    let isFirst = true;
    while (!signal.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      try {
        // Deletions left waiting by an earlier leader are held too: none starts before it is resumed.
        if (!(await isPaused())) {
          await look({ signal, writer }, isFirst);
          isFirst = false;
        }
        isLogged = false;
      } catch (err) {
        if (!isLogged && !signal.aborted) log.warn({ err }, "deletions cannot be read");
        isLogged = true;
      }
      await clock.sleep(TICK_MS, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
    await Promise.allSettled(sending);
  }

  /** Whether deletions wait for an administrator to resume them. */
  async function isPaused(): Promise<boolean> {
    const pause = await readPause(database.orm, "deletions");
    if (pause !== null && !isPauseLogged) {
      const { since, reason } = pause;
      log.warn({ event: "paused", what: "deletions", since, reason }, "deletions are paused");
    }
    isPauseLogged = pause !== null;
    return isPauseLogged;
  }

  /**
   * Starts due work. @param isFirst first check of this term: drops deletions left waiting by an earlier leader
   */
  async function look(term: Term, isFirst: boolean): Promise<void> {
    const { signal, writer } = term;
    const open = await readOpenDeletions(database.orm);
    // What an earlier leader left waiting is dropped, also if that fails at first.
    if (isFirst) for (const { id } of open) if (!seenMs.has(id)) seenMs.set(id, -Infinity);
    const byQueue = new Map<string, OpenDeletion[]>();
    for (const deletion of open) {
      if (isResting(deletion.id)) continue;
      try {
        if (deletion.hasLeft) await endLeft(deletion, writer);
        else if (deletion.state === "running" || (await isStarted(deletion, writer))) {
          const key = queueOf(deletion);
          byQueue.set(key, [...(byQueue.get(key) ?? []), deletion]);
        }
        heldUp.delete(deletion.id);
      } catch (err) {
        // An error that one company causes must not hold up the others' deletions.
        if (endsAllWork(err)) throw err;
        holdUp(deletion.id, deletion.company, err);
      }
    }
    const known = new Set(open.flatMap((deletion) => [deletion.id, queueOf(deletion)]));
    for (const remembered of [seenMs, failures, leftLogged, heldUp]) {
      for (const key of remembered.keys()) if (!known.has(key)) remembered.delete(key);
    }
    if (await disk.isLow()) return;
    for (const [key, deletions] of byQueue) {
      if (queues.has(key) || isResting(key) || signal.aborted) continue;
      const queue = work(deletions, term)
        .then(() => void heldUp.delete(key))
        .catch((err: unknown) => {
          if (!signal.aborted) holdUp(key, deletions[0]?.company, err);
        })
        .finally(() => queues.delete(key));
      queues.set(key, queue);
    }
  }

  function isResting(key: string): boolean {
    return clock.monotonicMs() < (heldUp.get(key)?.untilMs ?? -Infinity);
  }

  /** Logged once; tried again at once, then less and less often, because each try may ask the upstream. */
  function holdUp(key: string, company: string | undefined, err: unknown): void {
    const before = heldUp.get(key)?.count ?? 0;
    if (before === 0) log.warn({ err, company }, "a deletion is held up");
    const restMs = before === 0 ? 0 : backoffMs(before);
    heldUp.set(key, { count: before + 1, untilMs: clock.monotonicMs() + restMs });
  }

  /** It doesn't continue when its company returns: it has to be requested again. */
  async function endLeft({ company, id }: OpenDeletion, writer: Writer): Promise<void> {
    await endLeftDeletion(writer, company, id, clock.nowMs());
    if (!leftLogged.has(id))
      log.warn(
        { event: "deletion_ended", company, deletion: id },
        "a deletion ended: its company is no longer connected",
      );
    leftLogged.add(id);
  }

  /** Whether a waiting deletion has started by now. */
  async function isStarted(deletion: OpenDeletion, writer: Writer): Promise<boolean> {
    const { company, id } = deletion;
    const nowMs = clock.nowMs();
    const firstMs = seenMs.get(id) ?? clock.monotonicMs();
    seenMs.set(id, firstMs);
    const waitedMs = clock.monotonicMs() - firstMs;
    if (waitedMs > UNDO_MS + LATE_MS) {
      if (await expireDeletion(writer, company, id, nowMs)) {
        log.warn(
          { company, deletion: id },
          "a deletion that was interrupted while it waited is dropped",
        );
      }
      return false;
    }
    if (nowMs < deletion.undoUntilMs || waitedMs < UNDO_MS) return false;
    const isNow = await writer.orm.transaction((tx) => startDeletion(tx, company, id));
    if (isNow) await step("started");
    return isNow;
  }

  /** Processes due files of some deletions of one company, one at a time. */
  async function work(deletions: readonly OpenDeletion[], { signal, writer }: Term): Promise<void> {
    const [first] = deletions;
    if (first === undefined) return;
    const { company, files } = first;
    const ids = deletions.map(({ id }) => id);
    while (!signal.aborted && !(await disk.isLow())) {
      const file = await readNextFile(database.orm, company, ids, clock.nowMs());
      const upstream = upstreams.get(company);
      // The company is disconnected, which the record doesn't show yet.
      if (file === null || upstream === undefined || signal.aborted) return;
      const job: Job = { file, upstream, lane: laneOf(files), signal, writer };
      if (file.outcome === "unknown") await lookIntoUnknown(job);
      else if (file.sentAt !== null) {
        // Its sender died, or couldn't write the outcome.
        if (!(await takeBack(job))) await recordOutcome(job, "unknown", { because: "interrupted" });
      } else {
        const removal: Promise<void> = remove(job, () => void sending.add(removal));
        await removal.finally(() => sending.delete(removal));
      }
    }
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

/** The current term of leadership: the signal aborts at its end. */
type Term = { signal: AbortSignal; writer: Writer };

/** Small deletions never wait behind large ones. */
const queueOf = ({ company, files }: OpenDeletion) => `${company} ${laneOf(files)}`;

const laneOf = (files: number): Lane => (files <= FEW_FILES ? "people" : "jobs");
