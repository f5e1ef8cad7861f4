import { isDoubtful } from "@/lib/server/store/history/doubtful-clock";
import { readSamplesAt } from "@/lib/server/store/history/recorded-calls";
import { readRecordedState } from "@/lib/server/store/history/recorded-endpoints";
import type { Database, Writer } from "@/lib/server/store/database";
import {
  ROLLED_UP_MS,
  instantsFrom,
  readRolledUpCallsEnd,
  writeRolledUpCalls,
} from "@/lib/server/store/history/rolled-up-calls";
import { readOldestSample, readThinning } from "@/lib/server/store/sync/thin-calls";

/**
 * Rolls up a company's readings of API calls of the next six hours.
 * @param agreedMs now, epoch milliseconds on the API clock
 * @returns false when samples of those hours may still be added, or there are none
 */
export async function rollUpNextCalls(
  { database, writer }: { database: Database; writer: Writer },
  company: string,
  agreedMs: number,
): Promise<boolean> {
  const state = await readRecordedState(database, company);
  if (state === null || state.asOfMs === null) return false;
  const { endpointIds } = await readThinning(database, company);
  const fromMs = await readNextMs(database, company, endpointIds);
  if (fromMs === null) return false;
  const observedMs = state.asOfMs + state.apiClockOffsetMs;
  const untilMs = fromMs + ROLLED_UP_MS;
  if (Math.min(agreedMs, observedMs) < untilMs) return false;
  if (await isDoubtful(database, company, untilMs, { agreedMs, state })) return false;
  const rhythmMs = state.rhythmSeconds * 1000;
  const read = await readSamplesAt(database, company, endpointIds, instantsFrom(fromMs), rhythmMs);
  await writeRolledUpCalls(writer, company, fromMs, read);
  return true;
}

/** Start of the first six hours that aren't rolled up; null: there are no samples. */
async function readNextMs(
  database: Database,
  company: string,
  endpointIds: readonly string[],
): Promise<number | null> {
  const endMs = await readRolledUpCallsEnd(database, company);
  if (endMs !== null) return endMs;
  const oldestMs = await readOldestSample(database, company, endpointIds);
  return oldestMs === null ? null : oldestMs - (oldestMs % ROLLED_UP_MS);
}
