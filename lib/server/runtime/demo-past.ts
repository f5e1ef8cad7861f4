import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "@/lib/server/clock";
import { foldPast, type PastCheck } from "@/lib/server/collector/fold-past";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import {
  readDemoHistoryState,
  recordMissedStart,
  writeDemoHistory,
  type DemoHistoryChunk,
} from "@/lib/server/store/sync/demo-history";
import { readDemoRemoval } from "@/lib/server/store/demo/demo-removal";
import { LOCKS } from "@/lib/server/store/locks";
import { whileLocked } from "@/lib/server/store/while-locked";
import { pause } from "@/lib/server/waiting";
import { DEMO_COMPANIES, type DemoSlug } from "@/lib/v3-service/simulator/companies";
import { pastCallSamples, pastRows, settlingMs } from "@/lib/v3-service/simulator/past-rows";
import type { World, WorldEndpoint } from "@/lib/v3-service/simulator/world";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** Interval of the checks that the demo's past is recorded by. */
const CHECK_EVERY_MS = MINUTE_MS;
/**
 * Where the parts of the past begin, in days after its start, newest first. The first is written during the start, so
 * that weeks compare at once.
 */
const PARTS_FROM_DAYS = [75, 60, 45, 30, 15, 0] as const;
/** Checks folded before others get their turn: some milliseconds. */
const CHECKS_PER_TURN = 100;
/** Rest after each of them in the background: about twice as long as they take. */
const REST_MS = 15;
/** Delayed so that the first snapshots come first. */
const FIRST_AFTER_MS = 10_000;
const RETRY_MS = 60_000;

/** Part of the demo's past; epoch milliseconds, `untilMs` inclusive. */
type Part = { fromMs: number; untilMs: number; isOldest: boolean };

type Given = { clock: Clock; log: Log; world: World };

/** Writes the newest days of each demo company's past, unless they are written. Older days follow in the background. */
export async function writeNewestPast(
  database: Database,
  { clock, world }: { clock: Pick<Clock, "nowMs">; world: World },
): Promise<void> {
  const [newest] = partsOf(world);
  const part = { ...newest, untilMs: clock.nowMs() };
  for (const { slug } of DEMO_COMPANIES) {
    const isNew = await writePart(database, world, slug, part);
    if (!isNew) await recordMissedStart(database, slug, part.untilMs);
  }
}

/** Writes a part of a demo company's past; false if it was written before. Callers take turns. */
export async function writePart(
  database: Database,
  world: World,
  slug: DemoSlug,
  { rest = () => nextTurn(), ...part }: Part & { rest?: () => Promise<void> },
): Promise<boolean> {
  return writeDemoHistory(database, slug, part, chunksOf(world, slug, part, rest));
}

/**
 * Writes the older days of the demo's past, the newest first, in one process at a time. After a stop, the next
 * start continues it.
 * @param database of background jobs
 */
export function createOlderPast(
  database: Database,
  { clock, log, world, disk }: Given & { disk: { isLow(): Promise<boolean> } },
): { start(): void; stop(): Promise<void> } {
  const abort = new AbortController();
  const { signal } = abort;
  let running: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    if ((await readDemoRemoval(database.orm)) !== "none") return;
    for (const part of partsOf(world)) {
      for (const { slug } of DEMO_COMPANIES) {
        signal.throwIfAborted();
        if (await disk.isLow()) throw new Error("the disk is nearly full");
        await writePart(database, world, slug, {
          ...part,
          rest: () => clock.sleep(REST_MS, signal),
        });
      }
    }
  }

  async function run(): Promise<void> {
    await pause(clock, FIRST_AFTER_MS, signal);
    while (!signal.aborted) {
      try {
        await whileLocked(database.connectionString, LOCKS.demoPast, { log, signal }, writeAll);
        return;
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ err }, "the demo's past could not be written; tried again in a minute");
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** Whether all of a demo company's past is on record. */
export async function isPastWritten(
  database: Pick<Database, "orm">,
  company: string,
): Promise<boolean> {
  return (await readDemoHistoryState(database.orm, company)).isComplete;
}

function partsOf({ pastFromMs, epochMs }: World): [Part, ...Part[]] {
  const at = (days: number) => pastFromMs + days * DAY_MS;
  const [newest, ...older] = PARTS_FROM_DAYS;
  return [
    { fromMs: at(newest), untilMs: epochMs, isOldest: false },
    ...older.map((days, index) => ({
      fromMs: at(days),
      untilMs: at(PARTS_FROM_DAYS[index] ?? 0),
      isOldest: days === 0,
    })),
  ];
}

/** What our checks would have recorded of a company, an endpoint at a time. @param rest awaited between the checks */
async function* chunksOf(
  world: World,
  slug: DemoSlug,
  part: Part,
  rest: () => Promise<void>,
): AsyncGenerator<DemoHistoryChunk> {
  const endpoints = world.companies.find((company) => company.slug === slug)?.endpoints ?? [];
  for (const endpoint of endpoints) {
    const checks: PastCheck[] = [];
    for (const check of checksOf(world, endpoint, part)) {
      checks.push(check);
      if (checks.length % CHECKS_PER_TURN === 0) await rest();
    }
    yield chunkOf(checks, pastCallSamples(world, endpoint, sampledAfterMs(part), part.untilMs));
    await rest();
  }
}

/** The oldest part also has a sample at its beginning, as the first check takes one. */
function sampledAfterMs({ fromMs, isOldest }: Part): number {
  return isOldest ? fromMs - 1 : fromMs;
}

function checksOf(
  world: World,
  endpoint: WorldEndpoint,
  { fromMs, untilMs, isOldest }: Part,
): Iterable<PastCheck> {
  const settlingChecks = Math.ceil(settlingMs(endpoint) / CHECK_EVERY_MS);
  const firstMs = isOldest
    ? fromMs
    : Math.max(fromMs - settlingChecks * CHECK_EVERY_MS, world.pastFromMs);
  return foldPast(endpoint.id, pastRows(world, endpoint, firstMs, untilMs), {
    fromMs: firstMs,
    recordMs: isOldest ? -Infinity : fromMs,
    untilMs,
    everyMs: CHECK_EVERY_MS,
  });
}

function chunkOf(
  checks: readonly PastCheck[],
  callSamples: DemoHistoryChunk["callSamples"],
): DemoHistoryChunk {
  const runs = new Map<number, DemoHistoryChunk["runs"][number]>();
  for (const { atMs, runs: found } of checks) {
    for (const { endpointId, startedMs, finishedMs, status, durationSeconds } of found) {
      const firstSeenAt = runs.get(startedMs)?.firstSeenAt ?? atMs;
      const run = { endpointId, startedAt: startedMs, finishedAt: finishedMs, status };
      runs.set(startedMs, { ...run, durationSeconds, firstSeenAt });
    }
  }
  const landings = new Map<number, DemoHistoryChunk["landings"][number]>();
  for (const { atMs, landings: found } of checks) {
    for (const { endpointId, landedMs } of found) {
      if (!landings.has(landedMs))
        landings.set(landedMs, { endpointId, landedAt: landedMs, seenAt: atMs });
    }
  }
  return {
    runs: [...runs.values()],
    landings: [...landings.values()],
    callSamples,
    verdictChanges: checks.flatMap(({ atMs, verdictChanges }) =>
      verdictChanges.map((change) => ({ ...change, at: atMs })),
    ),
  };
}
