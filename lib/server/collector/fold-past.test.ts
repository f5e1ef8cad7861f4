import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { verdict } from "@/lib/domain/verdict";
import { attributesOf, type EndpointRecord } from "@/lib/server/store/sync/records";
import { pastRows, settlingMs, type PastRow } from "@/lib/v3-service/simulator/past-rows";
import { createWorld, type WorldEndpoint } from "@/lib/v3-service/simulator/world";
import { foldPast, type PastCheck } from "./fold-past";
import { completed } from "@/lib/domain/steps";
import { applySnapshot, findChanges } from "./observe";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

const EPOCH_MS = Date.UTC(2026, 10, 19, 13, 32, 7);
const world = createWorld({ seed: 1, epochMs: EPOCH_MS });
const endpoints = world.companies.flatMap((company) => company.endpoints);
const FROM_MS = world.pastFromMs;

/** Every check, as the collector applies it, each with what it recorded about the endpoint. */
function everyCheck(id: string, rows: readonly PastRow[], fromMs: number, untilMs: number) {
  let recorded: ReadonlyMap<string, EndpointRecord> = new Map();
  let previousMs: number | null = null;
  let runs: {
    startedMs: number;
    finishedMs: number | null;
    status: string | null;
    durationSeconds: number | null;
  }[] = [];
  const landingsMs: number[] = [];
  let missing: ReadonlySet<string> = new Set();
  const found = [];
  for (let atMs = fromMs; atMs <= untilMs; atMs += MINUTE_MS) {
    const row: ReadSyncStatus | null = rows.findLast((one) => one.atMs <= atMs)?.row ?? null;
    const present = new Map(row === null ? [] : [[id, row]]);
    const changed = completed(findChanges(recorded, present, atMs));
    const { endpoints: after, changes } = completed(
      applySnapshot({
        recorded,
        samples: new Map(),
        rows: present,
        found: changed,
        histories: new Map([[id, { runs, landingsMs: [...landingsMs] }]]),
        blindGaps: [],
        gap: null,
        asOfMs: atMs,
        previousAsOfMs: previousMs,
        apiNowMs: atMs,
        missingForAPoll: missing,
      }),
    );
    for (const run of changed.runs)
      runs = [run, ...runs.filter(({ startedMs }) => startedMs !== run.startedMs)].slice(0, 100);
    for (const { landedMs } of changed.landings)
      if (!landingsMs.includes(landedMs)) landingsMs.push(landedMs);
    recorded = after;
    previousMs = atMs;
    missing = new Set(row === null ? [id] : []);
    const { verdictChanges, runs: own, landings } = changes;
    if (verdictChanges.length + own.length + landings.length > 0)
      found.push({ atMs, runs: own, landings, verdictChanges });
  }
  return found;
}

const folded = (endpoint: WorldEndpoint, fromMs: number, untilMs: number, recordMs?: number) => [
  ...foldPast(endpoint.id, pastRows(world, endpoint, fromMs, untilMs), {
    fromMs,
    untilMs,
    everyMs: MINUTE_MS,
    ...(recordMs !== undefined && { recordMs }),
  }),
];

/** Without the verdict at the start of the part. */
const withoutOpening = (checks: Iterable<PastCheck>, cutMs: number) =>
  [...checks].filter(({ atMs }) => atMs > cutMs);

describe("folding the past", () => {
  it("finds what every single check would have recorded", () => {
    assert(
      property(constantFrom(...endpoints), integer({ min: 0, max: 88 }), (endpoint, day) => {
        const fromMs = FROM_MS + day * DAY_MS;
        const untilMs = fromMs + 20 * HOUR_MS;
        const rows = [...pastRows(world, endpoint, fromMs, untilMs)];
        expect(folded(endpoint, fromMs, untilMs)).toEqual(
          everyCheck(endpoint.id, rows, fromMs, untilMs),
        );
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it("finds the same in parts, each after enough checks that aren't recorded", () => {
    for (const endpoint of endpoints.filter((_, index) => index % 6 === 0)) {
      const cutMs = FROM_MS + 33 * DAY_MS;
      const settled = Math.ceil(settlingMs(endpoint) / MINUTE_MS) * MINUTE_MS;
      const firstMs = Math.max(FROM_MS, cutMs - settled);
      const whole = folded(endpoint, FROM_MS, cutMs + DAY_MS);
      const part = folded(endpoint, firstMs, cutMs + DAY_MS, cutMs);
      const held = whole
        .filter(({ atMs }) => atMs <= cutMs)
        .flatMap(({ verdictChanges }) => verdictChanges)
        .at(-1)?.verdict;
      expect(part[0]?.verdictChanges[0]?.verdict ?? null).toBe(held ?? null);
      expect(withoutOpening(part, cutMs)).toEqual(whole.filter(({ atMs }) => atMs > cutMs));
    }
  }, 60_000);

  it("finds an endpoint's removal and return also where two parts meet", () => {
    const [endpoint] = endpoints;
    if (endpoint === undefined) throw new Error("the demo has endpoints");
    const untilMs = FROM_MS + DAY_MS;
    for (let minutes = -5; minutes <= 15; minutes++) {
      const cutMs = FROM_MS + DAY_MS / 2;
      const goneMs = cutMs - minutes * MINUTE_MS;
      const backMs = goneMs + 10 * MINUTE_MS;
      const listed = [...pastRows(world, endpoint, FROM_MS, untilMs)];
      const rows = [
        ...listed.filter(({ atMs }) => atMs < goneMs),
        { atMs: goneMs, row: null },
        { atMs: backMs, row: listed.findLast(({ atMs }) => atMs <= backMs)?.row ?? null },
        ...listed.filter(({ atMs }) => atMs > backMs),
      ];
      const given = { fromMs: FROM_MS, untilMs, everyMs: MINUTE_MS };
      const whole = [...foldPast(endpoint.id, rows, given)];
      const part = foldPast(endpoint.id, rows, { ...given, recordMs: cutMs });
      expect(withoutOpening(part, cutMs)).toEqual(whole.filter(({ atMs }) => atMs > cutMs));
    }
  });

  it("dates verdicts by checks, and continues after the endpoint wasn't listed", () => {
    const [endpoint] = endpoints;
    if (endpoint === undefined) throw new Error("the demo has endpoints");
    const listed = [...pastRows(world, endpoint, FROM_MS, FROM_MS)][0]?.row ?? null;
    const rows = [
      { atMs: FROM_MS, row: listed },
      { atMs: FROM_MS + 90_000, row: null },
      { atMs: FROM_MS + 10 * MINUTE_MS, row: listed },
    ];
    const given = { fromMs: FROM_MS, untilMs: FROM_MS + 12 * MINUTE_MS, everyMs: MINUTE_MS };
    const changes = [...foldPast(endpoint.id, rows, given)].flatMap(({ atMs, verdictChanges }) =>
      verdictChanges.map(({ verdict: word }) => [(atMs - FROM_MS) / MINUTE_MS, word]),
    );
    if (listed === null) throw new Error("it is listed");
    const { word } = verdict(attributesOf(listed), NOTHING_KNOWN, FROM_MS);
    expect(changes).toEqual([
      [0, word],
      [2, "unknown"],
      [5, null],
      [10, word],
    ]);
  });
});
