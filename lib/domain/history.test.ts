import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueBarFraction } from "./bar-geometry";
import {
  HISTORY_RANGES,
  callInstants,
  historyAxis,
  landingsOf,
  mergePeriods,
  observedValues,
  outcomeLetter,
  outcomeSlots,
  runAt,
  periodAt,
  sumsAt,
  unknownPeriods,
  verdictSlots,
  type LandingGroup,
  type Period,
} from "./history";
import { sawtooth } from "./sawtooth";
import { VERDICTS, type Verdict } from "./sync";
import { MINUTE_MS, HOUR_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:07:00Z");
const axis = historyAxis("24h", NOW_MS);
const SPAN_MS = axis.untilMs - axis.fromMs;

const instant = fc
  .integer({ min: -2 * 60, max: SPAN_MS / MINUTE_MS })
  .map((minutes) => axis.fromMs + minutes * MINUTE_MS + (minutes % 7) * 1000);
const periods = fc.array(
  fc
    .tuple(instant, fc.integer({ min: 1, max: 300 }))
    .map(([fromMs, minutes]): Period => ({ fromMs, untilMs: fromMs + minutes * MINUTE_MS })),
  { maxLength: 6 },
);
const STATUSES = ["completed", "failed", "timed_out", "rate_limited", "in_progress", null, "odd"];
const recordedRuns = fc.uniqueArray(
  fc.record({
    startedMs: instant,
    lastsMs: fc.integer({ min: 0, max: 20 * MINUTE_MS }),
    status: fc.constantFrom(...STATUSES),
  }),
  { selector: ({ startedMs }) => startedMs, maxLength: 60 },
);
const WORST_FIRST = "ftroic";

describe("historyAxis", () => {
  it.each(HISTORY_RANGES)(
    "%s has whole slots, the present in the last, and at most 500",
    (range) => {
      const { fromMs, untilMs, slotMs, landingsMs, callsMs } = historyAxis(range, NOW_MS);
      expect(fromMs % slotMs).toBe(0);
      expect(untilMs - NOW_MS).toBeGreaterThan(0);
      expect(untilMs - NOW_MS).toBeLessThanOrEqual(slotMs);
      for (const stepMs of [slotMs, landingsMs / 4, callsMs])
        expect((untilMs - fromMs) / stepMs).toBeLessThanOrEqual(500);
    },
  );

  it("reads calls at the ends of steps, ascending, the last at the present", () => {
    for (const range of HISTORY_RANGES) {
      const given = historyAxis(range, NOW_MS);
      const instants = callInstants(given, given.callsMs, NOW_MS);
      expect(instants.at(-1)).toBe(NOW_MS);
      expect(instants.length).toBe((given.untilMs - given.fromMs) / given.callsMs);
      expect(instants.toSorted((a, b) => a - b)).toEqual(instants);
    }
  });

  it("are on the clock's half hours, hours and so on, but for the present", () => {
    for (const minutes of [0, 1, 16, 44, 59, 190, 400]) {
      const nowMs = NOW_MS + minutes * MINUTE_MS;
      for (const range of ["24h", "7d", "30d", "90d"] as const) {
        const given = historyAxis(range, nowMs);
        const instants = callInstants(given, given.callsMs, nowMs);
        expect(instants.slice(0, -1).filter((atMs) => atMs % given.callsMs !== 0)).toEqual([]);
        expect(instants[0]).toBeGreaterThan(given.fromMs);
        expect(instants.at(-1)).toBe(nowMs);
        expect(nowMs - (instants.at(-2) ?? 0)).toBeLessThanOrEqual(given.callsMs);
      }
    }
  });

  it("returns no instant twice if the present is the start of a slot", () => {
    const given = historyAxis("7d", axis.fromMs - (axis.fromMs % HOUR_MS));
    const instants = callInstants(given, given.callsMs, given.untilMs - given.slotMs);
    expect(new Set(instants).size).toBe(instants.length);
  });
});

describe("sawtooth, strip and table against recorded runs with gaps", () => {
  it("shows the worst run that started in a slot, and an empty slot only if all of it was observed", () => {
    fc.assert(
      fc.property(recordedRuns, periods, (runs, gaps) => {
        const unobserved = mergePeriods(gaps, axis);
        const latestMs = Math.max(...runs.map(({ startedMs }) => startedMs));
        const letters = runs.map(({ startedMs, status }) => ({
          startedMs,
          letter: outcomeLetter(status, startedMs === latestMs),
        }));
        const slots = outcomeSlots(axis, letters, unobserved);
        expect(slots).toHaveLength(96);
        Array.from(slots).forEach((letter, at) => {
          const fromMs = axis.fromMs + at * axis.slotMs;
          const untilMs = fromMs + axis.slotMs;
          const began = letters.filter((run) => run.startedMs >= fromMs && run.startedMs < untilMs);
          if (began.length > 0) {
            const worst = began.map((run) => WORST_FIRST.indexOf(run.letter));
            expect(letter).toBe(WORST_FIRST[Math.min(...worst)]);
          } else {
            const isSeen = gaps.every((gap) => gap.untilMs <= fromMs || gap.fromMs >= untilMs);
            expect(letter).toBe(isSeen ? "." : "u");
          }
        });
      }),
    );
  });

  it("shows only the last run as in progress, because the end of an earlier one was never seen", () => {
    expect(outcomeLetter("in_progress", true)).toBe("i");
    expect(outcomeLetter("in_progress", false)).toBe("o");
    expect([null, "odd", "constructor"].map((status) => outcomeLetter(status, true))).toEqual([
      "o",
      "o",
      "o",
    ]);
  });

  it("draws the age of the last landing, drops it at each landing, and draws nothing in a gap", () => {
    const cadenceMs = HOUR_MS;
    fc.assert(
      fc.property(recordedRuns, periods, (runs, gaps) => {
        const unobserved = mergePeriods(gaps, axis);
        const landings = runs
          .filter(({ status }) => status === "completed")
          .map(({ startedMs, lastsMs }) => startedMs + lastsMs)
          .toSorted((a, b) => a - b);
        const { lines } = sawtooth(landings, unobserved, axis, { cadenceMs, staleAfterMs: null });
        const drawn = lines.map((line) =>
          line.map(({ x, y }) => ({ atMs: axis.fromMs + x * SPAN_MS, y })),
        );
        for (const line of drawn) {
          for (const { atMs, y } of line) {
            const possible = landings
              .filter((landedMs) => landedMs <= atMs + 1)
              .slice(-2)
              .map((landedMs) => dueBarFraction(Math.max(0, atMs - landedMs), cadenceMs)?.fraction);
            expect(possible.some((fraction) => Math.abs((fraction ?? 9) - y) < 1e-6)).toBe(true);
          }
          // The line is continuous, so no part of it may be in a gap.
          const span = { fromMs: (line[0]?.atMs ?? 0) + 1, untilMs: (line.at(-1)?.atMs ?? 0) - 1 };
          expect(mergePeriods(unobserved, span)).toEqual([]);
        }
        for (const landedMs of landings) {
          const isDrawn = landedMs > axis.fromMs && landedMs < axis.untilMs - 1;
          const isSeen = unobserved.every(
            (gap) => landedMs <= gap.fromMs || landedMs >= gap.untilMs,
          );
          const endsThere = unobserved.some(
            (gap) => gap.fromMs - landedMs < 2 && gap.fromMs >= landedMs,
          );
          if (!isDrawn || !isSeen || endsThere) continue;
          const corners = drawn.flat().filter(({ atMs }) => Math.abs(atMs - landedMs) < 1);
          expect(corners.some(({ y }) => y < 1e-6)).toBe(true);
        }
      }),
    );
  });

  it("keeps the highest age of every group of landings and adds no higher one", () => {
    const groupMs = 2 * HOUR_MS;
    fc.assert(
      fc.property(fc.uniqueArray(instant, { maxLength: 120 }), (given) => {
        const landings = given.toSorted((a, b) => a - b);
        const groups = grouped(landings, groupMs);
        const drawn = landingsOf(null, groups);
        expect(drawn.toSorted((a, b) => a - b)).toEqual(drawn);
        expect(longest(drawn)).toBeCloseTo(longest(landings), 6);
        for (const { first_ms, last_ms } of groups)
          expect(drawn).toEqual(expect.arrayContaining([first_ms, last_ms]));
        if (groups.every(({ count }) => count <= 2)) expect(drawn).toEqual(landings);
      }),
    );
  });
});

describe("verdictSlots", () => {
  it("shows the worst observed verdict of a slot, or none", () => {
    const changes = fc.uniqueArray(
      fc.tuple(instant, fc.constantFrom<Verdict | null>(...VERDICTS, null)),
      { selector: ([atMs]) => atMs, maxLength: 30 },
    );
    fc.assert(
      fc.property(changes, periods, (given, gaps) => {
        const unobserved = mergePeriods(gaps, axis);
        // Verdicts are recorded at snapshots, and there are none inside a gap.
        const all = given
          .filter(([atMs]) => periodAt(unobserved, atMs) === null)
          .toSorted(([a], [b]) => a - b);
        const before = all.findLast(([atMs]) => atMs < axis.fromMs)?.[1] ?? null;
        const within = all.filter(([atMs]) => atMs >= axis.fromMs && atMs < axis.untilMs);
        const slots = verdictSlots(axis, before, bySlot(within), unobserved);
        expect(slots).toHaveLength(96);
        const held: [number, Verdict | null][] = [[axis.fromMs, before], ...within];
        Array.from(slots).forEach((digit, at) => {
          const slot = { fromMs: axis.fromMs + at * axis.slotMs, untilMs: 0 };
          slot.untilMs = slot.fromMs + axis.slotMs;
          const seen = held.flatMap(([fromMs, word], index) => {
            const untilMs = held[index + 1]?.[0] ?? axis.untilMs;
            const [from, until] = [Math.max(fromMs, slot.fromMs), Math.min(untilMs, slot.untilMs)];
            const blind = mergePeriods(unobserved, { fromMs: from, untilMs: until });
            const blindMs = blind.reduce((sum, gap) => sum + gap.untilMs - gap.fromMs, 0);
            const isChange = index > 0 && fromMs >= slot.fromMs && fromMs < slot.untilMs;
            const isSeen = isChange || until - from > blindMs;
            return word !== null && until > from && isSeen ? [VERDICTS.indexOf(word)] : [];
          });
          expect(digit).toBe(seen.length === 0 ? "u" : String(Math.min(...seen)));
        });
      }),
    );
  });
});

describe("unknownPeriods", () => {
  it("are whole slots, neighbours as one", () => {
    const hours = (from: number, until: number) => ({
      fromMs: from * HOUR_MS,
      untilMs: until * HOUR_MS,
    });
    expect(unknownPeriods(0, HOUR_MS, "u3325u3")).toEqual([hours(1, 3), hours(6, 7)]);
    expect(unknownPeriods(0, HOUR_MS, "012u4567")).toEqual([]);
  });

  it("interrupt what is drawn as overdue", () => {
    const period = { fromMs: 0, untilMs: 6 * HOUR_MS };
    const timing = { cadenceMs: HOUR_MS, staleAfterMs: null };
    const unknown = unknownPeriods(0, HOUR_MS, "223333");
    const { overdue } = sawtooth([-2 * HOUR_MS], unknown, period, timing);
    expect(Math.max(...overdue.flatMap(({ corners }) => corners).map(({ x }) => x))).toBeCloseTo(
      2 / 6,
    );
    expect(sawtooth([-2 * HOUR_MS], [period], period, timing).overdue).toEqual([]);
  });
});

describe("calls", () => {
  it("are null inside a gap but not at its ends, which are snapshots", () => {
    const gap = { fromMs: 10, untilMs: 30 };
    expect(observedValues([10, 20, 30, 40], [1, 1, 2, null], [gap])).toEqual([1, null, 2, null]);
  });

  it("are summed over existing endpoints, and null if one reading is missing", () => {
    const always: Period[] = [];
    const endpoints = [
      { values: [1, 2, null, 4], absent: always },
      { values: [null, 20, 30, 40], absent: [{ fromMs: -Infinity, untilMs: 15 }] },
    ];
    expect(sumsAt([10, 20, 30, 40], endpoints, [])).toEqual([1, 22, null, 44]);
    expect(sumsAt([10, 20], endpoints, [{ fromMs: 15, untilMs: 25 }])).toEqual([1, null]);
    expect(sumsAt([10], [], [])).toEqual([null]);
  });
});

describe("runAt", () => {
  const run = { startedMs: 100, finishedMs: 200, status: "failed", durationSeconds: 0.1 };
  it("shows a run in progress until its end", () => {
    const running = { ...run, finishedMs: null, status: "in_progress", durationSeconds: null };
    expect(runAt(run, 199)).toEqual(running);
    expect(runAt(run, 200)).toBe(run);
  });
});

describe("mergePeriods", () => {
  it("cuts, sorts and separates ranges", () => {
    const within = { fromMs: 0, untilMs: 100 };
    const given = [
      { fromMs: 50, untilMs: Infinity },
      { fromMs: -5, untilMs: 10 },
      { fromMs: 10, untilMs: 20 },
      { fromMs: 30, untilMs: 30 },
      { fromMs: 40, untilMs: 60 },
    ];
    expect(mergePeriods(given, within)).toEqual([
      { fromMs: 0, untilMs: 20 },
      { fromMs: 40, untilMs: 100 },
    ]);
  });
});

function grouped(landings: readonly number[], groupMs: number): LandingGroup[] {
  const groups = new Map<number, number[]>();
  for (const landedMs of landings) {
    const key = Math.floor((landedMs - axis.fromMs) / groupMs);
    groups.set(key, [...(groups.get(key) ?? []), landedMs]);
  }
  return [...groups.values()].map((group) => ({
    first_ms: Math.min(...group),
    last_ms: Math.max(...group),
    count: group.length,
    longest_gap_ms: longest(group),
  }));
}

function longest(landings: readonly number[]): number {
  return landings.slice(1).reduce((most, ms, at) => Math.max(most, ms - (landings[at] ?? ms)), 0);
}

function bySlot(changes: readonly (readonly [number, Verdict | null])[]) {
  const slots = new Map<number, (readonly [number, Verdict | null])[]>();
  for (const change of changes) {
    const key = Math.floor((change[0] - axis.fromMs) / axis.slotMs);
    slots.set(key, [...(slots.get(key) ?? []), change]);
  }
  return [...slots.values()].map((its) => {
    const ranks = its.flatMap(([, word]) => (word === null ? [] : [VERDICTS.indexOf(word)]));
    return {
      firstMs: its[0]?.[0] ?? 0,
      worst: ranks.length === 0 ? null : (VERDICTS[Math.min(...ranks)] ?? null),
      last: its.at(-1)?.[1] ?? null,
    };
  });
}
