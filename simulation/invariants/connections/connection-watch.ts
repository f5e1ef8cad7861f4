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
  wasPaused: (company: string, ms: number) => boolean;
  /** By company. */
  readonly secrets: ReadonlyMap<string, { secret: string | null; sinceMs: number }>;
};

export function createConnectionWatch(): ConnectionWatch {
  const pausedSinceMs = new Map<string, number>();
  const ended: { company: string; fromMs: number; untilMs: number }[] = [];
  const secrets = new Map<string, { secret: string | null; sinceMs: number }>();

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
    for (const { company, secret } of rows)
      if (secrets.get(company)?.secret !== secret) secrets.set(company, { secret, sinceMs: nowMs });
  }

  return {
    pausedSinceMs,
    secrets,
    async run({ control, time }) {
      const rows = await readStoredConnections(control);
      notePauses(rows, time.nowMs());
      noteSecrets(rows, time.nowMs());
    },
    wasPaused: (company, ms) =>
      (pausedSinceMs.get(company) ?? Infinity) <= ms ||
      ended.some((one) => one.company === company && one.fromMs <= ms && ms < one.untilMs),
  };
}

/** With these an instance doesn't learn at once that a connection has changed. */
const DEAFENING: ReadonlySet<FaultKind> = new Set([
  "hang_process",
  "database_away",
  "database_hangs",
  "database_full",
  "restore",
]);
/** An instance asks every three seconds, and completes requests that are on their way; a wall is told within two minutes. */
const LEARNED_WITHIN_MS = 5 * 60_000;

/** When every instance and wall knows what a connection has been since a time, true time in epoch milliseconds. */
export function learnedMs({ faults, time, longestDelayMs }: Scene, sinceMs: number): number {
  const deafMs = faults.flatMap(({ kind, fromMs, untilMs }) =>
    DEAFENING.has(kind) && fromMs <= time.nowMs() ? untilMs : [],
  );
  return Math.max(sinceMs, ...deafMs) + longestDelayMs + LEARNED_WITHIN_MS;
}
