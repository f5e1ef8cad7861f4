import { statfs } from "node:fs/promises";
import type { Clock } from "@/lib/server/clock";

/** Below this, PostgreSQL's log files may fill the rest. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const MEASURE_EVERY_MS = 5_000;

/** Bytes available to an unprivileged user on the file system of `dir`. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

export type DiskGuard = {
  /** True while less than `minFreeBytes` is free; measured at most every 5 s. Never rejects. */
  isLow(): Promise<boolean>;
};

/**
 * Reports when recording has to stop. Recording resumes as soon as a measurement shows enough space. A disk
 * that can't be measured counts as not low: the write itself will fail if it is full.
 * @param options.minFreeBytes default 200 MiB
 * @param options.measure free bytes of a directory; default `freeBytes`
 */
export function createDiskGuard(options: {
  dir: string;
  clock: Clock;
  minFreeBytes?: number;
  measure?: (dir: string) => Promise<number>;
}): DiskGuard {
  const { dir, clock, minFreeBytes = MIN_FREE_BYTES, measure = freeBytes } = options;
  let last: { atMs: number; low: Promise<boolean> } | null = null;
  return {
    isLow: () => {
      const nowMs = clock.monotonicMs();
      if (last === null || nowMs - last.atMs >= MEASURE_EVERY_MS) {
        const low = measure(dir).then(
          (free) => free < minFreeBytes,
          () => false,
        );
        last = { atMs: nowMs, low };
      }
      return last.low;
    },
  };
}

/** With less free space, the embedded PostgreSQL may fail to start. */
const FULL_DISK_BYTES = 64 * 1024 * 1024;

/**
 * Runs part of a start with the embedded database.
 * @param options.explains whether a full disk may explain an error
 * @throws Error that says so if it failed on a full disk; otherwise what it threw
 */
export async function tellingFullDisk<T>(
  dataDir: string,
  run: () => Promise<T>,
  {
    measure = freeBytes,
    explains = () => true,
  }: { measure?: typeof freeBytes; explains?: (error: unknown) => boolean } = {},
): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (!explains(cause)) throw cause;
    const free = await measure(dataDir).catch(() => Number.POSITIVE_INFINITY);
    if (free >= FULL_DISK_BYTES) throw cause;
    const freeMb = Math.floor(free / 1024 / 1024);
    throw new Error(
      `DATA_DIR: the disk is full (${freeMb} MB left in ${dataDir}). Free at least 200 MB, then start again.`,
      { cause },
    );
  }
}
