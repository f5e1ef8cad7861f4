import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  failingSinceMs,
  failureStreak,
  isStreakMinimum,
  learnedFrequencyMinutes,
  typicalDurationSeconds,
} from "./known";
import { MINUTE_MS } from "@/lib/domain/time/units";

const minutes = (...values: number[]) => values.map((value) => value * MINUTE_MS);

describe("typical duration", () => {
  test("is the smallest duration that 95 % don't exceed", () => {
    const oneToHundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(typicalDurationSeconds(oneToHundred)).toBe(95);
    expect(typicalDurationSeconds(oneToHundred.slice(0, 20))).toBe(99);
  });

  test("is the longest of a few runs, and null without any", () => {
    expect(typicalDurationSeconds([7])).toBe(7);
    expect(typicalDurationSeconds([3, 90, 5])).toBe(90);
    expect(typicalDurationSeconds([])).toBeNull();
    expect(typicalDurationSeconds([Number.NaN, -1])).toBeNull();
  });

  test("is not exceeded by at least 95 %, and the input isn't modified", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (durations) => {
        const copy = [...durations];
        const typical = typicalDurationSeconds(durations) ?? -1;
        expect(durations).toEqual(copy);
        const covered = durations.filter((seconds) => seconds <= typical).length;
        expect(covered / durations.length).toBeGreaterThanOrEqual(0.95);
      }),
    );
  });
});

describe("learned cadence", () => {
  test("is the median of at least five intervals, and null for four", () => {
    expect(learnedFrequencyMinutes(minutes(0, 60, 120, 181, 240, 600), [])).toBe(60);
    expect(learnedFrequencyMinutes(minutes(0, 60, 120, 180, 240), [])).toBeNull();
    expect(learnedFrequencyMinutes([], [])).toBeNull();
  });

  test("averages the two middle ones of an even number of intervals", () => {
    expect(learnedFrequencyMinutes(minutes(0, 10, 20, 30, 50, 70, 90), [])).toBe(15);
  });

  test("is at least a minute", () => {
    const landings = [0, 20, 40, 60, 80, 100].map((seconds) => seconds * 1_000);
    expect(learnedFrequencyMinutes(landings, [])).toBe(1);
  });

  test("ignores an interval that overlaps a gap", () => {
    const landings = minutes(0, 60, 120, 180, 240, 300);
    const blind = (from: number, until: number | null) => [
      { fromMs: from * MINUTE_MS, untilMs: until === null ? null : until * MINUTE_MS },
    ];
    expect(learnedFrequencyMinutes(landings, blind(70, 80))).toBeNull();
    expect(learnedFrequencyMinutes(landings, blind(299, null))).toBeNull();
    expect(learnedFrequencyMinutes(landings, blind(300, null))).toBe(60);
    expect(learnedFrequencyMinutes(landings, blind(-50, 0))).toBe(60);
  });

  test("counts a repeated landing once", () => {
    expect(learnedFrequencyMinutes(minutes(0, 0, 60, 60, 120, 180, 240, 300), [])).toBe(60);
  });

  test("handles overlapping gaps in any order like each gap alone", () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 300 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 30 }),
        fc.array(span, { maxLength: 8 }),
        (instants, spans) => {
          const landings = minutes(...instants.toSorted((a, b) => a - b));
          const blind = spans.map(([from, length]) => ({
            fromMs: from * MINUTE_MS,
            untilMs: (from + length) * MINUTE_MS,
          }));
          const seen = landings
            .slice(1)
            .map((untilMs, index) => ({ fromMs: landings[index] ?? 0, untilMs }))
            .filter((gap) => !blind.some((b) => b.fromMs < gap.untilMs && b.untilMs > gap.fromMs))
            .map((gap) => gap.untilMs - gap.fromMs)
            .toSorted((a, b) => a - b);
          const middle =
            ((seen[Math.floor((seen.length - 1) / 2)] ?? 0) +
              (seen[Math.floor(seen.length / 2)] ?? 0)) /
            2;
          expect(learnedFrequencyMinutes(landings, blind)).toBe(
            seen.length < 5 ? null : Math.max(1, Math.round(middle / MINUTE_MS)),
          );
        },
      ),
    );
  });
});

describe("failure streak", () => {
  test("ends at a completed run", () => {
    expect(failureStreak(["failed", "timed_out", "completed", "failed"])).toBe(2);
    expect(failureStreak(["completed", "failed"])).toBe(0);
    expect(failureStreak([])).toBe(0);
  });

  test("skips rate limited, null, running and unknown outcomes", () => {
    expect(
      failureStreak(["in_progress", "rate_limited", "failed", null, "exploded", "failed"]),
    ).toBe(2);
  });
});

describe("the start of failures", () => {
  const run = (status: string | null, finishedMs: number | null) => ({ status, finishedMs });

  test("is the end of the first failed run since the last completed one", () => {
    const failed = [run("failed", 30), run("timed_out", 20)];
    expect(failingSinceMs([...failed, run("completed", 10), run("failed", 5)])).toBe(20);
    expect(failingSinceMs([run("completed", 40), ...failed])).toBeNull();
    expect(failingSinceMs([run("failed", 30), run("failed", null)])).toBeNull();
  });

  test("isn't the end of a run that neither failed nor completed", () => {
    const others = ["in_progress", "rate_limited", null, "exploded"];
    const runs = others.map((status) => run(status, 10));
    expect(failingSinceMs([run("failed", 20), ...runs])).toBe(20);
    expect(failingSinceMs(runs)).toBeNull();
  });
});

test.each([
  [2, null, true],
  [2, 60, false],
  [1, null, false],
  [0, null, false],
])("%d failures in a row, with %s s per run, are a minimum: %s", (failures, seconds, isMinimum) => {
  const known = { failures_in_a_row: failures, typical_duration_seconds: seconds };
  expect(isStreakMinimum(known)).toBe(isMinimum);
});
