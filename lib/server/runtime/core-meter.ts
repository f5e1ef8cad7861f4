import type { Clock } from "@/lib/server/clock";
import type { CoreMeter } from "@/lib/server/metrics";
import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";

const READ_EVERY_MS = 10 * SECOND_MS;
const MIN_MS = MINUTE_MS;
const MAX_MS = 5 * MINUTE_MS;

/**
 * Measures the last minutes.
 * @param cpuMs processor time that this process has used so far, milliseconds
 */
export function createCoreMeter(
  clock: Clock,
  cpuMs: () => number = processCpuMs,
): CoreMeter & { start(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  let readings: { atMs: number; cpuMs: number }[] = [];

  const read = () => ({ atMs: clock.monotonicMs(), cpuMs: cpuMs() });

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      const latest = read();
      readings = [...readings.filter(({ atMs }) => latest.atMs - atMs <= MAX_MS), latest];
      await clock.sleep(READ_EVERY_MS, stopping.signal).catch(() => {});
    }
  }

  return {
    now() {
      const latest = read();
      const first = readings.find(({ atMs }) => latest.atMs - atMs <= MAX_MS);
      const lastedMs = latest.atMs - (first ?? latest).atMs;
      if (first === undefined || lastedMs < MIN_MS) return null;
      return { cores: (latest.cpuMs - first.cpuMs) / lastedMs, overSeconds: lastedMs / SECOND_MS };
    },
    start: () => void repeat(),
    async stop() {
      stopping.abort();
    },
  };
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
