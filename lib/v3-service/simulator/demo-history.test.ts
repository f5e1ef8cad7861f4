import { describe, expect, it } from "vitest";
import { demoHistory } from "./demo-history";
import { createWorld } from "./world";
import { HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const EPOCH_MS = Date.UTC(2026, 10, 19, 13, 32, 7);
const world = createWorld({ seed: 1, epochMs: EPOCH_MS });

describe("demo history", () => {
  it("yields chunks of a day that are equal to one single chunk", () => {
    const fromMs = EPOCH_MS - 2.5 * DAY_MS;
    const chunks = [...demoHistory(world, "harbour", fromMs, EPOCH_MS)];
    expect(chunks).toHaveLength(3);
    const finished = world
      .events(fromMs, EPOCH_MS, "harbour")
      .flatMap((event) => (event.kind === "run_finished" ? [event.atMs] : []));
    expect(chunks.flatMap(({ runs }) => runs.map((run) => run.finishedAt))).toEqual(finished);
  });

  it("has landings exactly for completed runs and pipeline reports", () => {
    const fromMs = EPOCH_MS - DAY_MS;
    const chunks = [...demoHistory(world, "northgate", fromMs, EPOCH_MS)];
    const completed = chunks.flatMap(({ runs }) =>
      runs.filter(({ status }) => status === "completed"),
    );
    const reported = world
      .events(fromMs, EPOCH_MS, "northgate")
      .filter(({ kind }) => kind === "landing");
    expect(reported.length).toBeGreaterThan(0);
    expect(chunks.flatMap(({ landings }) => landings)).toHaveLength(
      completed.length + reported.length,
    );
  });

  it("samples every endpoint each quarter of an hour, with the calls of the previous 24 hours", () => {
    const fromMs = EPOCH_MS - 30 * HOUR_MS;
    const samples = [...demoHistory(world, "orchard", fromMs, EPOCH_MS)].flatMap(
      ({ callSamples }) => callSamples,
    );
    expect(samples).toHaveLength(8 * 4 * 30);
    for (const { endpointId, at, value } of samples.filter((_, index) => index % 37 === 0)) {
      const expected = world
        .events(at - DAY_MS, at, "orchard")
        .filter((event) => event.kind === "api_calls" && event.endpointId === endpointId)
        .reduce((sum, event) => sum + (event.kind === "api_calls" ? event.count : 0), 0);
      expect(value).toBe(expected);
    }
  });
});
