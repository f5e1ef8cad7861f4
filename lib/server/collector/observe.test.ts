import { describe, expect, it } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { EndpointHistory } from "@/lib/server/store/sync/endpoint-history";
import type { EndpointRecord } from "@/lib/server/store/sync/records";
import { completed } from "@/lib/domain/steps";
import { applySnapshot, findChanges, type CallSample } from "./observe";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const at = (minutes: number) => new Date(NOW_MS + minutes * MINUTE_MS).toISOString();

function row(attributes: Partial<ReadSyncStatus["attributes"]> = {}): ReadSyncStatus {
  return {
    id: "a",
    attributes: {
      endpoint_key: "rfis",
      partner_name: "Procore",
      status: "active",
      last_updated_at: at(-10),
      next_sync_at: at(50),
      last_sync_status: "completed",
      last_sync_started_at: at(-12),
      last_sync_finished_at: at(-10),
      last_sync_duration_seconds: 120,
      frequency_minutes: 60,
      api_calls_last_24h: 5,
      ...attributes,
    },
  };
}

/** Applies one snapshot, `minutes` after NOW, to the result of the previous one. */
function observe(
  given: {
    recorded?: ReadonlyMap<string, EndpointRecord>;
    rows?: ReadSyncStatus[];
    minutes?: number;
    history?: EndpointHistory;
    samples?: ReadonlyMap<string, CallSample>;
    /** The API's clock of the previous snapshot. */
    recordedMs?: number;
    /** Whether the last poll lacked the same rows. */
    isLackingForAPoll?: boolean;
  } = {},
) {
  const recorded = given.recorded ?? new Map<string, EndpointRecord>();
  const rows = new Map((given.rows ?? [row()]).map((each) => [each.id, each]));
  const asOfMs = NOW_MS + (given.minutes ?? 0) * MINUTE_MS;
  const found = completed(findChanges(recorded, rows, asOfMs, given.recordedMs ?? asOfMs));
  const none = { runs: [], landingsMs: [] };
  return completed(
    applySnapshot({
      recorded,
      samples: given.samples ?? new Map(),
      rows,
      found,
      histories: new Map([...found.endpointIds].map((id) => [id, given.history ?? none])),
      blindGaps: [],
      gap: null,
      asOfMs,
      previousAsOfMs: asOfMs - MINUTE_MS,
      apiNowMs: asOfMs,
      missingForAPoll: new Set(given.isLackingForAPoll === false ? [] : recorded.keys()),
    }),
  );
}

describe("applySnapshot", () => {
  it("records once what an API clock made incredible that was wrong for a while", () => {
    const wrongMs = NOW_MS - 31 * 24 * 60 * MINUTE_MS;
    const found = completed(findChanges(new Map(), new Map([["a", row()]]), wrongMs));
    expect([found.runs, found.landings]).toEqual([[], []]);
    const { endpoints } = observe();
    const after = observe({ recorded: endpoints, recordedMs: wrongMs });
    expect(after.changes.landings).toEqual([
      { endpointId: "a", landedMs: NOW_MS - 10 * MINUTE_MS },
    ]);
    expect(after.changes.runs).toHaveLength(1);
    const { changes } = observe({ recorded: after.endpoints, minutes: 1, recordedMs: NOW_MS });
    expect([changes.runs, changes.landings]).toEqual([[], []]);
  });

  it("records run, landing, verdict and call sample of a new endpoint", () => {
    const { endpoints, changes } = observe();
    expect(changes.runs).toEqual([
      {
        endpointId: "a",
        startedMs: NOW_MS - 12 * MINUTE_MS,
        finishedMs: NOW_MS - 10 * MINUTE_MS,
        status: "completed",
        durationSeconds: 120,
      },
    ]);
    expect(changes.landings).toEqual([{ endpointId: "a", landedMs: NOW_MS - 10 * MINUTE_MS }]);
    expect(changes.verdictChanges).toEqual([
      { endpointId: "a", verdict: "fresh", previous: null, isRescheduled: false },
    ]);
    expect(changes.callSamples).toEqual([{ endpointId: "a", value: 5 }]);
    expect(endpoints.get("a")?.known).toMatchObject({
      typical_duration_seconds: 120,
      failures_in_a_row: 0,
      last_finished_status: "completed",
      last_finished_at: at(-10),
      reported: true,
    });
  });

  it("changes nothing when nothing happened", () => {
    const { endpoints } = observe();
    const samples = new Map([["a", { atMs: NOW_MS, value: 5 }]]);
    const { changes } = observe({ recorded: endpoints, minutes: 1, samples });
    expect(changes).toMatchObject({
      endpoints: [],
      runs: [],
      landings: [],
      verdictChanges: [],
      callSamples: [],
    });
  });

  it("ignores the order of members, as returned by a database", () => {
    const { endpoints } = observe();
    const { id, attributes } = row();
    const turned = {
      attributes: Object.fromEntries(Object.entries(attributes).toReversed()) as typeof attributes,
      id,
    };
    const { changes } = observe({ recorded: endpoints, rows: [turned], minutes: 1 });
    expect(changes.endpoints).toEqual([]);
  });

  it("records a run while it is in progress, and again when it ends", () => {
    const running = row({
      last_sync_status: "in_progress",
      last_sync_started_at: at(-1),
      last_sync_finished_at: at(-10),
      last_sync_duration_seconds: 120,
    });
    const first = observe({ rows: [running] });
    expect(first.changes.runs[0]).toMatchObject({
      startedMs: NOW_MS - MINUTE_MS,
      finishedMs: null,
      status: "in_progress",
      durationSeconds: null,
    });

    const ended = row({
      last_sync_status: "failed",
      last_sync_started_at: at(-1),
      last_sync_finished_at: at(1),
      last_sync_duration_seconds: null,
    });
    const second = observe({ recorded: first.endpoints, rows: [ended], minutes: 2 });
    expect(second.changes.runs).toEqual([
      {
        endpointId: "a",
        startedMs: NOW_MS - MINUTE_MS,
        finishedMs: NOW_MS + MINUTE_MS,
        status: "failed",
        durationSeconds: 120,
      },
    ]);
  });

  it("counts recorded failures and the new one once in the streak", () => {
    const failed = { finishedMs: null, durationSeconds: null, status: "failed" };
    const history: EndpointHistory = {
      runs: [
        { ...failed, startedMs: NOW_MS - 12 * MINUTE_MS, status: "in_progress" },
        { ...failed, startedMs: NOW_MS - 72 * MINUTE_MS },
        { ...failed, startedMs: NOW_MS - 132 * MINUTE_MS, status: "completed" },
      ],
      landingsMs: [],
    };
    const { endpoints } = observe({ rows: [row({ last_sync_status: "failed" })], history });
    expect(endpoints.get("a")?.known.failures_in_a_row).toBe(2);
  });

  it("learns durations from completed runs, not from those cut off", () => {
    const run = (minutesAgo: number, status: string, durationSeconds: number | null) => ({
      startedMs: NOW_MS - minutesAgo * MINUTE_MS,
      finishedMs: null,
      status,
      durationSeconds,
    });
    const others = [
      run(70, "timed_out", 3600),
      run(130, "failed", 900),
      run(190, "rate_limited", 1200),
      run(220, "exploded", 5000),
    ];
    const history = (...done: EndpointHistory["runs"][number][]): EndpointHistory => ({
      runs: [...others, ...done],
      landingsMs: [],
    });
    const timedOut = row({ last_sync_status: "timed_out", last_sync_duration_seconds: 3600 });
    const typicalOf = (given: EndpointHistory) =>
      observe({ rows: [timedOut], history: given }).endpoints.get("a")?.known
        .typical_duration_seconds;
    expect(typicalOf(history(run(250, "completed", 40), run(310, "completed", 60)))).toBe(60);
    expect(typicalOf(history(run(250, "completed", null)))).toBeNull();
    expect(typicalOf(history())).toBeNull();
  });

  it("uses the last recorded finished run while a run is in progress", () => {
    const finishedMs = NOW_MS - 60 * MINUTE_MS;
    const history: EndpointHistory = {
      runs: [{ startedMs: finishedMs - 1000, finishedMs, status: "timed_out", durationSeconds: 1 }],
      landingsMs: [],
    };
    const running = row({ last_sync_status: "in_progress", last_sync_started_at: at(-1) });
    const { endpoints } = observe({ rows: [running], history });
    expect(endpoints.get("a")?.known).toMatchObject({
      last_finished_status: "timed_out",
      last_finished_at: at(-60),
      failures_in_a_row: 1,
    });
  });

  it.each(["rate_limited", null, "exploded"])(
    "skips a run with outcome %s as the last finished one",
    (status) => {
      const finishedMs = NOW_MS - 60 * MINUTE_MS;
      const history: EndpointHistory = {
        runs: [{ startedMs: finishedMs - 1000, finishedMs, status: "failed", durationSeconds: 1 }],
        landingsMs: [],
      };
      const { endpoints } = observe({ rows: [row({ last_sync_status: status })], history });
      expect(endpoints.get("a")?.known).toMatchObject({
        last_finished_status: "failed",
        last_finished_at: at(-60),
        failures_in_a_row: 1,
      });
    },
  );

  it("learns a cadence from recorded landings and the new one", () => {
    const history: EndpointHistory = {
      runs: [],
      landingsMs: [5, 4, 3, 2, 1].map((hours) => NOW_MS - (10 + hours * 30) * MINUTE_MS),
    };
    const { endpoints } = observe({ rows: [row({ frequency_minutes: null })], history });
    expect(endpoints.get("a")?.known.learned_frequency_minutes).toBe(30);
  });

  it("doesn't record timestamps far in the future as past events", () => {
    const future = row({ last_updated_at: at(30), last_sync_started_at: at(20) });
    const { changes } = observe({ rows: [future] });
    expect(changes.runs).toEqual([]);
    expect(changes.landings).toEqual([]);
  });

  it.each(["0000-01-01T00:00:00Z", "0026-11-27T14:25:54Z"])(
    "records %s as the earliest instant that is read back as it was written",
    (never) => {
      const { changes, endpoints } = observe({
        rows: [row({ last_updated_at: never, last_sync_started_at: never })],
      });
      expect(endpoints.get("a")?.verdict).toBe("stale");
      expect(changes.landings).toMatchObject([{ landedMs: 0 }]);
      expect(changes.runs).toMatchObject([{ startedMs: 0 }]);
    },
  );

  it("records a verdict change due to age alone", () => {
    const { endpoints } = observe();
    const { changes } = observe({ recorded: endpoints, minutes: 55 });
    expect(changes.verdictChanges).toEqual([
      { endpointId: "a", verdict: "due", previous: "fresh", isRescheduled: false },
    ]);
  });

  it("samples calls once per quarter of an hour, whether or not they change", () => {
    const { endpoints: recorded } = observe();
    const samples = new Map<string, CallSample>();
    const sampledAt: number[] = [];
    for (let minutes = 0; minutes < 60; minutes += 1) {
      const value = 5 + Math.floor(minutes / 20);
      const { changes } = observe({
        recorded,
        samples,
        minutes,
        rows: [row({ api_calls_last_24h: value })],
      });
      if (changes.callSamples.length === 0) continue;
      samples.set("a", { atMs: NOW_MS + minutes * MINUTE_MS, value });
      sampledAt.push(minutes);
    }
    expect(sampledAt.length).toBeLessThanOrEqual(5);
    expect(sampledAt.slice(1).every((minute, n) => minute - (sampledAt[n] ?? 0) <= 15)).toBe(true);
  });

  it("samples calls with each landing too, and after the API's clock was set back", () => {
    const { endpoints: recorded } = observe();
    const samples = new Map([["a", { atMs: NOW_MS, value: 5 }]]);
    const sampled = (minutes: number, attributes: Parameters<typeof row>[0]) =>
      observe({ recorded, samples, minutes, rows: [row(attributes)] }).changes.callSamples.length;
    const landed = new Date(NOW_MS + MINUTE_MS).toISOString();
    expect(sampled(1, {})).toBe(0);
    expect(sampled(1, { last_updated_at: landed })).toBe(1);
    expect(sampled(-60, {})).toBe(1);
  });
});

describe("missing row", () => {
  it("stays unknown for three polls, then is removed, and can reappear", () => {
    let { endpoints, changes } = observe();
    for (const minutes of [1, 2, 3]) {
      ({ endpoints, changes } = observe({ recorded: endpoints, rows: [], minutes }));
      expect(endpoints.get("a")).toMatchObject({
        verdict: "unknown",
        missedSnapshots: minutes,
        lastReportedMs: NOW_MS,
        removedMs: null,
        known: { reported: false, typical_duration_seconds: 120 },
      });
    }
    ({ endpoints, changes } = observe({ recorded: endpoints, rows: [], minutes: 4 }));
    expect(endpoints.get("a")?.removedMs).toBe(NOW_MS + 4 * MINUTE_MS);
    expect(changes.verdictChanges).toEqual([
      { endpointId: "a", verdict: null, previous: "unknown", isRescheduled: false },
    ]);

    ({ endpoints, changes } = observe({ recorded: endpoints, rows: [], minutes: 5 }));
    expect(changes.endpoints).toEqual([]);

    ({ endpoints, changes } = observe({ recorded: endpoints, minutes: 6 }));
    expect(endpoints.get("a")).toMatchObject({
      verdict: "fresh",
      missedSnapshots: 0,
      removedMs: null,
      firstSeenMs: NOW_MS,
      known: { reported: true },
    });
    expect(changes.verdictChanges).toEqual([
      { endpointId: "a", verdict: "fresh", previous: null, isRescheduled: false },
    ]);
  });

  it("is unknown at once, and counted again only after another poll", () => {
    let { endpoints, changes } = observe();
    ({ endpoints } = observe({ recorded: endpoints, rows: [], minutes: 1 }));
    expect(endpoints.get("a")).toMatchObject({ verdict: "unknown", missedSnapshots: 1 });
    for (const minutes of [1.3, 1.7, 2, 3, 10, 100]) {
      const looked = { recorded: endpoints, rows: [], minutes, isLackingForAPoll: false };
      ({ endpoints, changes } = observe(looked));
      expect(changes.endpoints).toEqual([]);
    }
  });

  it("records since when each attribute has had its value", () => {
    const first = observe();
    const moved = [row({ api_calls_last_24h: 6, mood: "good" })];
    const second = observe({ recorded: first.endpoints, rows: moved, minutes: 1 });
    const third = observe({ recorded: second.endpoints, rows: moved, minutes: 2 });
    expect(third.endpoints.get("a")?.attributesSeenMs).toMatchObject({
      status: NOW_MS,
      api_calls_last_24h: NOW_MS + MINUTE_MS,
      mood: NOW_MS + MINUTE_MS,
    });
  });
});
