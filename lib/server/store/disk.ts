import { statfs } from "node:fs/promises";
import type { Clock } from "@/lib/server/clock";

/** Below this, PostgreSQL's own log files may fill what is left. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const MEASURE_EVERY_MS = 5_000;

/** Bytes that an unprivileged user may still write on the file system of `dir`. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

export type DiskGuard = {
  /** True while less than `minFreeBytes` is free; measured at most every 5 s, never rejects. */
  isLow(): Promise<boolean>;
};

/**
 * Tells when recording has to stop. It recovers by itself: the next measurement decides anew.
 * A disk that cannot be measured counts as not low, since the write itself will then tell.
 * @param options.minFreeBytes default 200 MB (MiB)
 * @param options.measure bytes free in a directory; default `freeBytes`
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
