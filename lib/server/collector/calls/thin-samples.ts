import type { Clock } from "@/lib/server/clock";
import { batches } from "@/lib/server/store/batches";
import type { Database, Writer } from "@/lib/server/store/database";
import { readThinning, thinCalls, writeThinned } from "@/lib/server/store/sync/thin-calls";
import { HOUR_MS } from "@/lib/domain/time/units";

/** Endpoints times hours of samples per statement. */
const ENDPOINT_HOURS = 250;
/** Hours per run and company: a backlog after an upgrade is thinned within days. */
const MAX_HOURS = 24;
/** Pause after a statement that deleted something. */
const REST_MS = 200;

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Pick<Clock, "sleep">;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Continues to thin a company's call samples, by at most a day of them; to be repeated every hour.
 * @param cutoffMs those of the whole hours before it are thinned; epoch milliseconds on the API clock
 * @throws when `signal` aborts
 */
export async function thinSamples(
  { database, writer, clock, disk, signal }: Options,
  company: string,
  cutoffMs: number,
): Promise<void> {
  const { endpointIds, fromMs: beginMs } = await readThinning(database, company);
  if (beginMs === null) return;
  const endMs = Math.min(cutoffMs - (cutoffMs % HOUR_MS), beginMs + MAX_HOURS * HOUR_MS);
  const hours = Math.max(1, Math.floor(ENDPOINT_HOURS / endpointIds.length));
  for (let fromMs = beginMs; fromMs < endMs; fromMs += hours * HOUR_MS) {
    const untilMs = Math.min(fromMs + hours * HOUR_MS, endMs);
    for (const ids of batches(endpointIds, ENDPOINT_HOURS)) {
      if (signal.aborted || (await disk.isLow())) return;
      const rows = await thinCalls(writer, company, ids, { fromMs, untilMs });
      if (rows > 0) await clock.sleep(REST_MS, signal);
    }
    await writeThinned(writer, company, untilMs);
  }
}
