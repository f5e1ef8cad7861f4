import type { DemoSlug } from "./companies";
import { DAY_MS, HOUR_MS, type DemoRun } from "./timeline";
import type { World } from "./world";

/** Events of one company in a period; instants are epoch milliseconds. */
export type DemoHistoryChunk = {
  /** Finished runs. */
  runs: {
    endpointId: string;
    startedAt: number;
    finishedAt: number;
    status: DemoRun["outcome"];
    durationSeconds: number;
  }[];
  /** New values of `last_updated_at`: a completed run ended, or the pipeline reported a landing. */
  landings: { endpointId: string; landedAt: number }[];
  /** Values of `api_calls_last_24h`. */
  callSamples: { endpointId: string; at: number; value: number }[];
};

const SAMPLE_MS = HOUR_MS / 4;

/**
 * The history of a company as recorded by an observer of the API: runs, landings, and a sample of each endpoint's
 * `api_calls_last_24h` every quarter of an hour.
 * @param fromMs epoch milliseconds, exclusive; usually `world.pastFromMs`
 * @param untilMs epoch milliseconds, inclusive
 * @returns chunks of at most a day, oldest first, to limit memory
 */
export function* demoHistory(
  world: World,
  slug: DemoSlug,
  fromMs: number,
  untilMs: number,
): Generator<DemoHistoryChunk, void, undefined> {
  const endpoints = world.companies.find((company) => company.slug === slug)?.endpoints ?? [];
  const calls = new Map(endpoints.map(({ id }) => [id, createRollingSum()]));
  for (const event of world.events(fromMs - DAY_MS, fromMs, slug)) {
    if (event.kind === "api_calls") calls.get(event.endpointId)?.add(event.atMs, event.count);
  }
  for (let dayFromMs = fromMs; dayFromMs < untilMs; dayFromMs += DAY_MS) {
    yield historyOf(world, slug, calls, dayFromMs, Math.min(dayFromMs + DAY_MS, untilMs));
  }
}

function historyOf(
  world: World,
  slug: DemoSlug,
  calls: ReadonlyMap<string, RollingSum>,
  fromMs: number,
  untilMs: number,
): DemoHistoryChunk {
  const chunk: DemoHistoryChunk = { runs: [], landings: [], callSamples: [] };
  let sampleAtMs = (Math.floor(fromMs / SAMPLE_MS) + 1) * SAMPLE_MS;
  const sampleUntil = (beforeMs: number) => {
    for (; sampleAtMs < beforeMs; sampleAtMs += SAMPLE_MS) {
      for (const [endpointId, sum] of calls) {
        chunk.callSamples.push({ endpointId, at: sampleAtMs, value: sum.at(sampleAtMs) });
      }
    }
  };
  for (const event of world.events(fromMs, untilMs, slug)) {
    const { endpointId, atMs } = event;
    // Samples at the same instant come later, because they include its events.
    sampleUntil(atMs);
    switch (event.kind) {
      case "api_calls":
        calls.get(endpointId)?.add(atMs, event.count);
        break;
      case "landing":
        chunk.landings.push({ endpointId, landedAt: atMs });
        break;
      case "run_finished":
        chunk.runs.push({
          endpointId,
          startedAt: event.startedAtMs,
          finishedAt: atMs,
          status: event.outcome,
          durationSeconds: Math.floor((atMs - event.startedAtMs) / 1000),
        });
        if (event.outcome === "completed" && !event.isEmpty)
          chunk.landings.push({ endpointId, landedAt: atMs });
        break;
      case "run_started":
      case "next_sync":
        break;
    }
  }
  sampleUntil(untilMs + 1);
  return chunk;
}

type RollingSum = {
  add(atMs: number, count: number): void;
  /** The sum over the 24 hours up to `nowMs`, which must not decrease between calls. */
  at(nowMs: number): number;
};

function createRollingSum(): RollingSum {
  let entries: { atMs: number; count: number }[] = [];
  let sum = 0;
  return {
    add(atMs, count) {
      entries.push({ atMs, count });
      sum += count;
    },
    at(nowMs) {
      const kept = entries.findIndex((entry) => entry.atMs > nowMs - DAY_MS);
      const gone = kept === -1 ? entries.length : kept;
      for (const { count } of entries.slice(0, gone)) sum -= count;
      if (gone > 0) entries = entries.slice(gone);
      return sum;
    },
  };
}
