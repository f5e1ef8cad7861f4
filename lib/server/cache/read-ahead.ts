import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { sharedState } from "@/lib/server/shared-state";

/** Answers that are refreshed: those read most recently, ... */
const MAX_REFRESHED = 40;
/** ... and within this time. */
const READ_WITHIN_MS = 10 * 60_000;
/**
 * How long an answer about a whole company holds: thousands of endpoints take a second to read, and the current state
 * comes with the snapshot anyway.
 */
export const ANSWER_MS = 2 * 60_000;
/** How long before their time the answers of the next period are computed. */
export const AHEAD_MS = 20_000;

type Read = { readMs: number; refresh: () => Promise<void> };

/**
 * Remembers that an answer was read, so that the next one is computed before it is asked for again.
 * @param key unique for the owner, across all kinds of answers
 * @param refresh computes the answer of `AHEAD_MS` later
 */
export function noteRead(
  owner: object,
  key: string,
  { readMs, refresh }: { readMs: number; refresh: () => Promise<void> },
): void {
  const reads = readsOf(owner);
  reads.delete(key);
  reads.set(key, { readMs, refresh });
  for (const oldest of reads.keys()) {
    if (reads.size <= MAX_REFRESHED) return;
    reads.delete(oldest);
  }
}

/** A `Map` keeps its entries in order of insertion. */
function readsOf(owner: object): Map<string, Read> {
  return sharedState(owner, "answers read lately", () => new Map<string, Read>());
}

/**
 * Refreshes the answers that were read lately, one after the other, shortly before they expire.
 * @param options.owner of the answers
 */
export function createReadAhead({ owner, clock, log }: { owner: object; clock: Clock; log: Log }): {
  start(): void;
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const nextMs = ANSWER_MS - ((clock.nowMs() + AHEAD_MS) % ANSWER_MS);
      try {
        await clock.sleep(nextMs, signal);
      } catch {
        return;
      }
      await refreshAll();
    }
  }

  async function refreshAll(): Promise<void> {
    const reads = readsOf(owner);
    const sinceMs = clock.nowMs() - READ_WITHIN_MS;
    for (const [key, { readMs }] of reads) if (readMs < sinceMs) reads.delete(key);
    for (const { refresh } of Array.from(reads.values())) {
      if (signal.aborted) return;
      await refresh().catch((err: unknown) => {
        log.debug({ err }, "an answer could not be refreshed; the next request reads it");
      });
    }
  }

  return {
    start() {
      void run();
    },
    /** Doesn't wait for an answer that is being computed: that only reads. */
    async stop() {
      stopping.abort();
    },
  };
}
