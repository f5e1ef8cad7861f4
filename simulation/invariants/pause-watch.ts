import type { Scene } from "../simulation";

/** When connections are paused, as the database says after each minute. Instants are true time, epoch milliseconds. */
export type PauseWatch = {
  /** Called each minute. */
  run: (scene: Scene) => Promise<void>;
  /** The connections that are paused now, by company, and since when. */
  readonly pausedSinceMs: ReadonlyMap<string, number>;
  wasPaused: (company: string, ms: number) => boolean;
};

export function createPauseWatch(): PauseWatch {
  const pausedSinceMs = new Map<string, number>();
  const ended: { company: string; fromMs: number; untilMs: number }[] = [];
  return {
    pausedSinceMs,
    async run({ control, time }) {
      const rows = await control.rows<{ company: string }>(
        "select company from connections where paused_at is not null",
      );
      const paused = new Set(rows.map(({ company }) => company));
      for (const [company, fromMs] of pausedSinceMs) {
        if (paused.has(company)) continue;
        ended.push({ company, fromMs, untilMs: time.nowMs() });
        pausedSinceMs.delete(company);
      }
      for (const company of paused)
        if (!pausedSinceMs.has(company)) pausedSinceMs.set(company, time.nowMs());
    },
    wasPaused: (company, ms) =>
      (pausedSinceMs.get(company) ?? Infinity) <= ms ||
      ended.some((one) => one.company === company && one.fromMs <= ms && ms < one.untilMs),
  };
}
