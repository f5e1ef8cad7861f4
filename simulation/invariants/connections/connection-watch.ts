import type { FaultKind } from "../../faults";
import type { Scene } from "../../simulation";
import { readStoredConnections, type StoredConnection } from "../../stored-connections";

/**
 * When connections are paused or removed, and which secrets they have, as the database says after each minute. Instants
 * are true time, epoch milliseconds.
 */
export type ConnectionWatch = {
  /** Called each minute. */
  run: (scene: Scene) => Promise<void>;
  /** The connections that are paused or removed now, by company, and since when. */
  readonly pausedSinceMs: ReadonlyMap<string, number>;
  /** Whether it was paused or removed, or got another secret about then: what is on its way is given up. */
  wasInterrupted: (company: string, ms: number) => boolean;
  /** By company. */
  readonly secrets: ReadonlyMap<string, { secret: string | null; sinceMs: number }>;
};

export function createConnectionWatch(): ConnectionWatch {
  const pausedSinceMs = new Map<string, number>();
  const ended: { company: string; fromMs: number; untilMs: number }[] = [];
  const secrets = new Map<string, { secret: string | null; sinceMs: number }>();
  const replaced: { company: string; seenMs: number }[] = [];

  function notePauses(rows: readonly StoredConnection[], nowMs: number): void {
    const paused = new Set(
      rows.flatMap(({ company, isPaused, isRemoved }) => (isPaused || isRemoved ? company : [])),
    );
    for (const [company, fromMs] of pausedSinceMs) {
      if (paused.has(company)) continue;
      ended.push({ company, fromMs, untilMs: nowMs });
      pausedSinceMs.delete(company);
    }
    for (const company of paused)
      if (!pausedSinceMs.has(company)) pausedSinceMs.set(company, nowMs);
  }

  function noteSecrets(rows: readonly StoredConnection[], nowMs: number): void {
    for (const { company, secret } of rows) {
      const before = secrets.get(company);
      if (before?.secret === secret) continue;
      secrets.set(company, { secret, sinceMs: nowMs });
      if (before !== undefined) replaced.push({ company, seenMs: nowMs });
    }
  }

  return {
    pausedSinceMs,
    secrets,
    async run({ control, time }) {
      const rows = await readStoredConnections(control);
      notePauses(rows, time.nowMs());
      noteSecrets(rows, time.nowMs());
    },
    wasInterrupted: (company, ms) =>
      (pausedSinceMs.get(company) ?? Infinity) <= ms ||
      ended.some((one) => one.company === company && one.fromMs <= ms && ms < one.untilMs) ||
      replaced.some(
        ({ company: of, seenMs }) =>
          of === company && seenMs - MINUTE_MS <= ms && ms < seenMs + LEARNED_WITHIN_MS,
      ),
  };
}

const MINUTE_MS = 60_000;
/** With these an instance doesn't learn at once that a connection has changed. */
const DEAFENING: ReadonlySet<FaultKind> = new Set([
  "hang_process",
  "database_away",
  "database_hangs",
  "database_full",
  "database_read_only",
  "restore",
]);
/** An instance asks every three seconds, and completes requests that are on their way; a wall is told within two minutes. */
const LEARNED_WITHIN_MS = 5 * MINUTE_MS;

/** When every instance and wall knows what a connection has been since a time, true time in epoch milliseconds. */
export function learnedMs({ faults, time, longestDelayMs }: Scene, sinceMs: number): number {
  const deafMs = faults.flatMap(({ kind, fromMs, untilMs }) =>
    DEAFENING.has(kind) && fromMs <= time.nowMs() ? untilMs : [],
  );
  return Math.max(sinceMs, ...deafMs) + longestDelayMs + LEARNED_WITHIN_MS;
}
