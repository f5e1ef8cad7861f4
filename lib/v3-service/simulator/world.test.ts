import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { served } from "@/lib/contracts/v3";
import { failureStreak, isDecisive, typicalDurationSeconds } from "@/lib/domain/known";
import { VERDICTS, type EndpointFacts, type SyncAttributes, type Verdict } from "@/lib/domain/sync";
import { projectState, usualRhythm } from "@/lib/domain/schedules/rhythm";
import { verdict } from "@/lib/domain/verdict";
import type { NewScheduleFile } from "@/lib/v3-service/store/writer";
import type { DemoSlug } from "./companies";
import { createWorld, type World, type WorldEndpoint } from "./world";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const EPOCH_MS = Date.UTC(2026, 10, 19, 13, 32, 7);

/** What an observer of the API has seen of one endpoint. */
type Observed = {
  endpoint: WorldEndpoint;
  landedAtMs: number | null;
  nextSyncAtMs: number | null;
  started: { atMs: number; finishedAtMs: number | null; outcome: string } | null;
  /** Outcomes of finished runs, newest first. */
  outcomes: string[];
  lastFinished: { status: string; atMs: number } | null;
  /** Of completed runs, seconds. */
  durations: number[];
  typical: number | null;
};

/**
 * Observes a company in the 14 days before its world's start and before `instantsMs`, and yields at each of these.
 */
function* watch(world: World, slug: DemoSlug, instantsMs: readonly number[]) {
  const endpoints = world.companies.find((company) => company.slug === slug)?.endpoints ?? [];
  const observed = new Map<string, Observed>(
    endpoints.map((endpoint) => [
      endpoint.id,
      {
        endpoint,
        landedAtMs: null,
        nextSyncAtMs: null,
        started: null,
        outcomes: [],
        lastFinished: null,
        durations: [],
        typical: null,
      },
    ]),
  );
  const observe = (fromMs: number, untilMs: number) => {
    for (const event of world.events(fromMs, untilMs, slug)) {
      const seen = observed.get(event.endpointId);
      if (seen === undefined) throw new Error(`unknown endpoint ${event.endpointId}`);
      const recordedMs = seen.endpoint.recordedSyncAtMs ?? -Infinity;
      const land = () => {
        if (event.atMs >= recordedMs) seen.landedAtMs = event.atMs;
        else seen.landedAtMs = null;
      };
      if (event.kind === "next_sync") seen.nextSyncAtMs = event.nextSyncAtMs;
      if (event.kind === "landing") land();
      if (event.kind === "run_started") {
        seen.started = { atMs: event.atMs, finishedAtMs: null, outcome: "in_progress" };
      }
      if (event.kind === "run_finished") {
        seen.started = {
          atMs: event.startedAtMs,
          finishedAtMs: event.atMs,
          outcome: event.outcome,
        };
        seen.outcomes = [event.outcome, ...seen.outcomes].slice(0, 50);
        if (isDecisive(event.outcome))
          seen.lastFinished = { status: event.outcome, atMs: event.atMs };
        if (event.outcome === "completed") {
          seen.durations.push(Math.floor((event.atMs - event.startedAtMs) / 1000));
          seen.typical = null;
          land();
        }
      }
    }
  };
  const startsMs = (instantsMs[0] ?? 0) - 14 * DAY_MS;
  // What stands still since then is still reported.
  observe(world.epochMs - 14 * DAY_MS, Math.min(world.epochMs, startsMs));
  let atMs = startsMs;
  for (const untilMs of instantsMs) {
    observe(atMs, untilMs);
    atMs = untilMs;
    yield { atMs, observed: [...observed.values()] };
  }
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function rowOf({ endpoint, landedAtMs, nextSyncAtMs, started }: Observed): SyncAttributes {
  const finishedAtMs = started?.finishedAtMs ?? null;
  return {
    endpoint_key: endpoint.endpointKey,
    partner_name: endpoint.partnerName,
    status: endpoint.status,
    last_updated_at: iso(landedAtMs),
    next_sync_at: iso(nextSyncAtMs),
    last_sync_status: started?.outcome ?? null,
    last_sync_started_at: iso(started?.atMs ?? null),
    last_sync_finished_at: iso(finishedAtMs),
    last_sync_duration_seconds:
      started === null || finishedAtMs === null
        ? null
        : Math.floor((finishedAtMs - started.atMs) / 1000),
    frequency_minutes: endpoint.frequencyMinutes,
    api_calls_last_24h: 0,
  };
}

/** Facts known from a record of 14 days or more. */
function knownOf(seen: Observed): EndpointFacts {
  seen.typical ??= typicalDurationSeconds(seen.durations);
  return {
    typical_duration_seconds: seen.typical,
    failures_in_a_row: failureStreak(seen.outcomes),
    last_finished_status: seen.lastFinished?.status ?? null,
    last_finished_at: iso(seen.lastFinished?.atMs ?? null),
    learned_frequency_minutes: null,
    reported: true,
  };
}

function tally(words: readonly Verdict[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map((word) => [word, 0])) as Record<Verdict, number>;
  for (const word of words) counts[word]++;
  return counts;
}

/** Instants unrelated to the world's intervals: about every seven minutes, unevenly. */
function instantsFrom(fromMs: number, howMany: number): number[] {
  return Array.from({ length: howMany }, (_, n) =>
    Math.floor(fromMs + (n + ((n * 0.618) % 1)) * 7.1 * MINUTE_MS),
  );
}

describe("northgate", () => {
  const WORLDS = [
    { seed: 1, epochMs: EPOCH_MS, fromMs: EPOCH_MS },
    { seed: 2, epochMs: EPOCH_MS + 5.3 * HOUR_MS, fromMs: EPOCH_MS + 5.3 * HOUR_MS },
    { seed: 4_120_017, epochMs: Date.UTC(2027, 1, 28), fromMs: Date.UTC(2027, 1, 28) },
    { seed: -7, epochMs: Date.UTC(2028, 5, 3, 3), fromMs: Date.UTC(2029, 5, 3, 3) },
  ];

  it.each(WORLDS)(
    "shows every verdict at any time (seed $seed)",
    ({ seed, epochMs, fromMs }) => {
      const world = createWorld({ seed, epochMs });
      const sums = tally([]);
      const instants = instantsFrom(fromMs, 600);
      for (const { atMs, observed } of watch(world, "northgate", instants)) {
        const withRecord = tally(
          observed.map((seen) => verdict(rowOf(seen), knownOf(seen), atMs).word),
        );
        for (const word of VERDICTS) {
          if (withRecord[word] === 0) {
            throw new Error(`nothing is ${word} at ${iso(atMs)}`);
          }
          sums[word] += withRecord[word];
        }
      }
      // A realistic company: one endpoint stands in each trouble, and the others are well nearly all the time.
      const mean = (word: Verdict) => sums[word] / instants.length;
      expect(mean("failing")).toBeLessThan(3);
      expect(mean("stale")).toBeLessThan(4);
      expect(mean("late")).toBeLessThan(4);
      expect(mean("unknown")).toBe(2);
      expect(Math.abs(mean("due") - 3)).toBeLessThan(1.5);
      expect(mean("fresh")).toBeGreaterThan(38);
      expect(mean("webhook")).toBe(4);
      expect(mean("paused")).toBe(4);
    },
    60_000,
  );

  it("loses no planned sync, and is stale because of rate limits and outages only", () => {
    const world = createWorld({ seed: 3, epochMs: EPOCH_MS });
    for (const { atMs, observed } of watch(world, "northgate", instantsFrom(EPOCH_MS, 300))) {
      const judged = observed.map((seen) => ({
        seen,
        judgement: verdict(rowOf(seen), knownOf(seen), atMs),
        isRunning: seen.started?.outcome === "in_progress",
      }));
      const resting = judged.filter(({ seen, isRunning }) => seen.started !== null && !isRunning);
      const lost = resting.filter(({ seen, judgement }) =>
        judgement.word === "paused"
          ? seen.nextSyncAtMs !== null
          : // Overdue by no more than the start delay of runs.
            (seen.nextSyncAtMs ?? 0) < atMs - 6 * MINUTE_MS,
      );
      expect(lost).toEqual([]);
      const stale = resting.filter(({ judgement }) => judgement.word === "stale");
      expect(stale.filter(({ seen }) => seen.started?.outcome === "completed")).toEqual([]);
    }
  });

  it("keeps its standing troubles as long as it runs", () => {
    const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
    const instants = instantsFrom(EPOCH_MS + 40 * DAY_MS, 50);
    for (const { atMs, observed } of watch(world, "northgate", instants)) {
      const words = new Map(
        observed.map((seen) => [
          seen.endpoint.endpointKey,
          verdict(rowOf(seen), knownOf(seen), atMs).word,
        ]),
      );
      expect(words.get("business_processes")).toBe("failing");
      expect(words.get("daily_logs")).toBe("stale");
      expect(words.get("forms")).toBe("late");
    }
  });
});

describe("the other companies", () => {
  it("keep orchard healthy: nothing is late, stale, paused or unknown for long", () => {
    const world = createWorld({ seed: 5, epochMs: EPOCH_MS });
    let well = 0;
    let all = 0;
    for (const { atMs, observed } of watch(world, "orchard", instantsFrom(EPOCH_MS, 400))) {
      for (const seen of observed) {
        const { word } = verdict(rowOf(seen), knownOf(seen), atMs);
        all++;
        if (word === "fresh" || word === "due") well++;
      }
    }
    expect(well / all).toBeGreaterThan(0.99);
  });
});

describe("a world", () => {
  it("has the same events however time is cut into windows", () => {
    const worlds = [1, 2, 3].map((seed) => createWorld({ seed, epochMs: EPOCH_MS }));
    assert(
      property(
        constantFrom(...worlds),
        integer({ min: -14 * DAY_MS, max: 400 * DAY_MS }),
        array(integer({ min: 0, max: 5 * HOUR_MS }), { maxLength: 6 }),
        (world, offsetMs, lengths) => {
          const fromMs = EPOCH_MS + offsetMs;
          let atMs = fromMs;
          const pieces = lengths.flatMap((length) => {
            const piece = world.events(atMs, atMs + length);
            atMs += length;
            return piece;
          });
          expect(pieces).toEqual(world.events(fromMs, atMs));
        },
      ),
      { numRuns: 25 },
    );
  }, 30_000);

  it("includes the end of a window but not its start", () => {
    const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
    const events = world.events(EPOCH_MS, EPOCH_MS + HOUR_MS);
    for (const { atMs } of events.slice(0, 50)) {
      const before = world.events(EPOCH_MS, atMs);
      const after = world.events(atMs, EPOCH_MS + HOUR_MS);
      expect(before.at(-1)?.atMs).toBe(atMs);
      expect([...before, ...after]).toEqual(events);
    }
  });

  it("is the same for the same seed and start time, and different for another seed", () => {
    const tell = (seed: number, epochMs: number) => {
      const world = createWorld({ seed, epochMs });
      return { companies: world.companies, events: world.events(EPOCH_MS, EPOCH_MS + 6 * HOUR_MS) };
    };
    expect(tell(1, EPOCH_MS)).toEqual(tell(1, EPOCH_MS));
    expect(tell(2, EPOCH_MS).events).not.toEqual(tell(1, EPOCH_MS).events);
    expect(tell(1, EPOCH_MS + 1).companies).not.toEqual(tell(1, EPOCH_MS).companies);
  });

  it("orders its events, and never runs an endpoint twice at once", () => {
    assert(
      property(integer(), (seed) => {
        const world = createWorld({ seed, epochMs: EPOCH_MS });
        const running = new Map<string, number>();
        const events = world.events(EPOCH_MS - 2 * DAY_MS, EPOCH_MS);
        const mistakes = events.filter((event, index) => {
          if (event.atMs < (events[index - 1]?.atMs ?? -Infinity)) return true;
          const startedAtMs = running.get(event.endpointId);
          if (event.kind === "run_started") {
            running.set(event.endpointId, event.atMs);
            return startedAtMs !== undefined;
          }
          if (event.kind !== "run_finished") return false;
          running.delete(event.endpointId);
          // A run from before the window has no start in it.
          const isAnother = startedAtMs !== undefined && startedAtMs !== event.startedAtMs;
          return isAnother || event.atMs <= event.startedAtMs;
        });
        expect(mistakes).toEqual([]);
      }),
      { numRuns: 12 },
    );
  }, 30_000);

  it("ends every kind of run, at cadences from a quarter of an hour to a day", () => {
    const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
    const outcomes = new Set(
      world
        .events(world.pastFromMs, EPOCH_MS)
        .flatMap((event) => (event.kind === "run_finished" ? [event.outcome] : [])),
    );
    expect([...outcomes].toSorted()).toEqual(["completed", "failed", "rate_limited", "timed_out"]);
    const cadences = world.companies.flatMap(({ endpoints }) =>
      endpoints.flatMap(({ frequencyMinutes }) => frequencyMinutes ?? []),
    );
    expect(Math.min(...cadences)).toBe(15);
    expect(Math.max(...cadences)).toBe(1440);
  });

  it("has the companies, endpoints and files of the demo", () => {
    const { companies } = createWorld({ seed: 1, epochMs: EPOCH_MS });
    expect(
      companies.map(({ slug, endpoints, scheduleFiles }) => [
        slug,
        endpoints.length,
        scheduleFiles.length,
      ]),
    ).toEqual([
      ["northgate", 60, 184],
      ["harbour", 25, 40],
      ["orchard", 8, 0],
    ]);
    const names = companies.flatMap(({ endpoints }) => endpoints);
    expect(new Set(names.map(({ id }) => id)).size).toBe(93);
    for (const { partnerName } of names) expect(partnerName.length).toBeLessThanOrEqual(100);
    for (const { endpoints } of companies) {
      const keys = endpoints.map(
        ({ partnerName, endpointKey }) => `${partnerName}\n${endpointKey}`,
      );
      expect(new Set(keys).size).toBe(endpoints.length);
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    "has projects that are on time, due, overdue, and without a rhythm (day %i of a week)",
    (day) => {
      const epochMs = EPOCH_MS + day * DAY_MS + day * 3 * HOUR_MS;
      const { companies } = createWorld({ seed: day, epochMs });
      const stateOf = (files: readonly NewScheduleFile[]) => {
        const uploads = new Map([["any", files.map(({ createdAtMs }) => createdAtMs)]]);
        const at = { nowMs: epochMs, seenMs: epochMs };
        return projectState(usualRhythm(uploads, epochMs), at);
      };
      const states = companies.map(({ scheduleFiles }) => {
        const names = new Set(scheduleFiles.flatMap(({ customerProject: own }) => own?.name ?? []));
        const filesOf = (name: string) =>
          scheduleFiles.filter(({ customerProject: own }) => own?.name === name);
        return Object.fromEntries([...names].map((name) => [name, stateOf(filesOf(name))]));
      });
      expect(states).toEqual([
        {
          "Riverside Tower": "current",
          "Harbour Tunnel": "behind",
          "St Olav Hospital": "current",
          "A7 Interchange": null,
          "Quayside Depot": "due",
        },
        { "Breakwater Phase 2": "current", "North Port Terminal": "current" },
        {},
      ]);
    },
  );

  it("uploads more files as time passes, as often as before", () => {
    const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
    const past = world.companies.flatMap(({ scheduleFiles }) => scheduleFiles);
    expect(world.uploads(EPOCH_MS, EPOCH_MS + 3 * DAY_MS)).toEqual([]);
    const later = world.uploads(EPOCH_MS, EPOCH_MS + 60 * DAY_MS);
    const byDay = Array.from({ length: 60 }, (_, day) =>
      world.uploads(EPOCH_MS + day * DAY_MS, EPOCH_MS + (day + 1) * DAY_MS),
    ).flat();
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
    expect(byDay.toSorted(byId)).toEqual(later.toSorted(byId));
    expect(new Set([...past, ...later].map(({ id }) => id)).size).toBe(past.length + later.length);
    const amounts = new Map<string, number>();
    for (const { customerProject } of later) {
      const name = customerProject?.name ?? "";
      amounts.set(name, (amounts.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(amounts)).toEqual({
      "Riverside Tower": 4,
      "St Olav Hospital": 7,
      "Breakwater Phase 2": 4,
      "North Port Terminal": 2,
    });
    for (const { companyId, id, createdAtMs } of later) {
      const before = [...past, ...later].filter(
        (file) => file.companyId === companyId && file.createdAtMs < createdAtMs,
      );
      expect(before.every((file) => file.id < id)).toBe(true);
    }
  });

  it("has schedule files of every type over two years, all valid for the API", () => {
    const { companies } = createWorld({ seed: 1, epochMs: EPOCH_MS });
    const files = companies.flatMap(({ scheduleFiles }) => scheduleFiles);
    expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
    for (const file of files) {
      expect(
        served.ScheduleFile.safeParse({
          id: file.id,
          name: file.name,
          is_baseline: file.isBaseline,
          company_id: file.companyId,
          customer_project: file.customerProject,
          created_at: iso(file.createdAtMs),
          file_type: file.fileType,
          partner_token_id: file.partnerTokenId,
        }).error,
      ).toBeUndefined();
      expect(file.createdAtMs).toBeLessThan(EPOCH_MS);
      expect(file.createdAtMs).toBeGreaterThan(EPOCH_MS - 732 * DAY_MS);
      expect(file.name.endsWith(`.${file.fileType}`)).toBe(true);
    }
    const northgate = companies[0]?.scheduleFiles ?? [];
    expect(northgate.filter(({ isBaseline }) => isBaseline)).toHaveLength(31);
    expect(new Set(northgate.map(({ fileType }) => fileType)).size).toBe(4);
    expect(
      new Set(northgate.flatMap(({ customerProject }) => customerProject?.id ?? [])).size,
    ).toBe(5);
    const unlinked = northgate.filter(({ partnerTokenId }) => partnerTokenId === null);
    expect(unlinked.length).toBeGreaterThan(10);
    expect(unlinked.length).toBeLessThan(174);
    for (const { name } of files) expect(name).toMatch(/^[\p{L}\d ,.()/-]+$/u);
  });
});
