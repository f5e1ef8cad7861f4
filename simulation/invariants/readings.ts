import type { Scene } from "../simulation";
import type { Check } from "./observations";

/**
 * How long the pages of a check took to be read, at most: since the first was asked for after the check before last. A
 * process that hangs meanwhile makes it hours.
 */
export function createReadings(): {
  /** Takes the requests since the last call. */
  take(scene: Scene): void;
  /** Milliseconds; of a check that was committed since requests were last taken, or before. */
  of(check: Check): number;
} {
  let taken = 0;
  let nowMs = 0;
  /** By company: when pages were first asked for since its last check, and since the one before. */
  const asked = new Map<string, { sinceLastMs: number | null; beforeMs: number }>();
  const known = new WeakMap<Check, number>();
  return {
    take({ api, time }) {
      for (const { company, path, atMs } of api.seen.slice(taken)) {
        if (company === null || path !== "/sync_status") continue;
        const own = asked.get(company) ?? { sinceLastMs: null, beforeMs: atMs };
        own.sinceLastMs ??= atMs;
        asked.set(company, own);
      }
      taken = api.seen.length;
      nowMs = time.nowMs();
    },
    of(check) {
      const before = known.get(check);
      if (before !== undefined) return before;
      const own = asked.get(check.company);
      const ms = own === undefined ? 0 : nowMs - own.beforeMs;
      known.set(check, ms);
      if (own !== undefined)
        asked.set(check.company, { sinceLastMs: null, beforeMs: own.sinceLastMs ?? own.beforeMs });
      return ms;
    },
  };
}
