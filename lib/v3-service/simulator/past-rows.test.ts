import { describe, expect, it } from "vitest";
import { served } from "@/lib/contracts/v3";
import { pastCallSamples, pastRows } from "./past-rows";
import { createWorld } from "./world";
import { HOUR_MS, DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

const EPOCH_MS = Date.UTC(2026, 10, 19, 13, 32, 7);
const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
const endpoints = world.companies.flatMap((company) => company.endpoints);
const endpointWith = (is: (endpoint: (typeof endpoints)[number]) => boolean) => {
  const found = endpoints.find(is);
  if (found === undefined) throw new Error("the demo has no such endpoint");
  return found;
};

describe("past rows", () => {
  it("are valid for the API, and change at every event but calls", () => {
    const fromMs = EPOCH_MS - DAY_MS / 4;
    for (const endpoint of endpoints) {
      const rows = [...pastRows(world, endpoint, fromMs, EPOCH_MS)];
      expect(rows[0]?.atMs).toBe(fromMs);
      for (const { row } of rows)
        if (row !== null) expect(served.SyncStatus.safeParse(row).error).toBeUndefined();
      const events = world.eventsOf(endpoint.id, fromMs, EPOCH_MS);
      const changes = new Set(
        events.flatMap(({ kind, atMs }) => (kind === "api_calls" ? [] : [atMs])),
      );
      const turned = rows.slice(1).filter(({ atMs }) => !changes.has(atMs));
      expect(turned.length).toBeLessThanOrEqual(1);
      expect(rows.slice(1).length - turned.length).toBe(changes.size);
    }
  });

  it("are the same from wherever they are read", () => {
    const fromMs = EPOCH_MS - 3 * DAY_MS;
    for (const endpoint of endpoints.filter((_, index) => index % 5 === 0)) {
      const later = [...pastRows(world, endpoint, fromMs, EPOCH_MS)];
      const whole = [...pastRows(world, endpoint, fromMs - 8 * DAY_MS, EPOCH_MS)];
      expect(later[0]?.row).toEqual(whole.findLast(({ atMs }) => atMs <= fromMs)?.row);
      expect(later.slice(1)).toEqual(whole.filter(({ atMs }) => atMs > fromMs));
    }
  });

  it("show when an endpoint was paused, recorded again, or listed", () => {
    const rowsOf = (endpoint: (typeof endpoints)[number]) =>
      [...pastRows(world, endpoint, EPOCH_MS - 13 * DAY_MS, EPOCH_MS)].map(({ row }) => row);
    const paused = rowsOf(endpointWith(({ pausedAtMs }) => pausedAtMs !== null));
    expect(paused[0]?.attributes.status).toBe("active");
    expect(paused.at(-1)?.attributes.status).toBe("inactive");
    const again = rowsOf(endpointWith(({ recordedSyncAtMs }) => recordedSyncAtMs !== null));
    expect(again[0]?.attributes.last_updated_at).not.toBeNull();
    expect(again.at(-1)?.attributes.last_updated_at).toBeNull();
    const listed = rowsOf(endpointWith(({ otherwise }) => otherwise?.fromMs === -Infinity));
    expect(listed[0]).toBeNull();
    expect(listed.at(-1)?.attributes).toMatchObject({ last_updated_at: null, status: "active" });
    expect(listed.at(-1)?.attributes.next_sync_at).not.toBeNull();
  });
});

describe("past call samples", () => {
  it("are taken each quarter of an hour, with the calls of the previous 24 hours", () => {
    const fromMs = EPOCH_MS - 30 * HOUR_MS;
    const orchard = world.companies.find(({ slug }) => slug === "orchard")?.endpoints ?? [];
    const samples = orchard.flatMap((one) => pastCallSamples(world, one, fromMs, EPOCH_MS));
    expect(samples).toHaveLength(8 * 4 * 30);
    for (const { endpointId, at, value } of samples.filter((_, index) => index % 37 === 0)) {
      expect(at % (15 * MINUTE_MS)).toBe(0);
      const expected = world
        .eventsOf(endpointId, at - DAY_MS, at)
        .reduce((sum, event) => sum + (event.kind === "api_calls" ? event.count : 0), 0);
      expect(value).toBe(expected);
    }
  });

  it("aren't taken before an endpoint was listed", () => {
    const listed = endpointWith(({ otherwise }) => otherwise?.fromMs === -Infinity);
    const [first] = pastCallSamples(world, listed, EPOCH_MS - 5 * DAY_MS, EPOCH_MS);
    expect(first?.at).toBeGreaterThanOrEqual(listed.otherwise?.untilMs ?? Infinity);
  });
});
