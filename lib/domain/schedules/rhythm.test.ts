import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { projectState, usualRhythm } from "./rhythm";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const daysAgo = (...days: readonly number[]) => days.map((one) => NOW_MS - one * DAY_MS);
const weekly = daysAgo(1, 8, 15, 22, 29);
const rhythmOf = (uploads: Readonly<Record<string, readonly number[]>>) =>
  usualRhythm(new Map(Object.entries(uploads)), NOW_MS);

describe("the usual rhythm", () => {
  test("is the median gap, and expects the next upload one rhythm after the latest", () => {
    expect(rhythmOf({ xer: daysAgo(2, 8, 15, 22, 30) })).toEqual({
      fileType: "xer",
      latestMs: NOW_MS - 2 * DAY_MS,
      uploads: 5,
      shortestMs: 6 * DAY_MS,
      longestMs: 8 * DAY_MS,
      rhythmMs: 7 * DAY_MS,
      expectedMs: NOW_MS + 5 * DAY_MS,
    });
  });

  test("takes at least four gaps", () => {
    expect(rhythmOf({ xer: daysAgo(1, 8, 15, 22) })).toMatchObject({
      uploads: 4,
      rhythmMs: null,
      expectedMs: null,
    });
    expect(rhythmOf({ xer: weekly })?.rhythmMs).toBe(7 * DAY_MS);
  });

  test("is that of the last ten gaps", () => {
    const recent = Array.from({ length: 11 }, (_, at) => at * 3);
    const earlier = Array.from({ length: 20 }, (_, at) => 30 + (at + 1) * 14);
    expect(rhythmOf({ xer: daysAgo(...recent, ...earlier) })).toMatchObject({
      uploads: 11,
      rhythmMs: 3 * DAY_MS,
    });
  });

  test("counts uploads within an hour as one", () => {
    const again = weekly.flatMap((ms) => [ms, ms + 20 * MINUTE_MS, ms + HOUR_MS]);
    const rhythm = rhythmOf({ xer: again });
    expect(rhythm).toMatchObject({ uploads: 5, rhythmMs: 7 * DAY_MS });
    expect(rhythm?.latestMs).toBe(NOW_MS - DAY_MS + HOUR_MS);
    const later = weekly.flatMap((ms) => [ms, ms + HOUR_MS + 1]);
    expect(rhythmOf({ xer: later })?.uploads).toBe(10);
  });

  test("follows the type with the most uploads in a year, of several the latest", () => {
    const before = Array.from({ length: 30 }, (_, at) => 366 + at);
    const daily = daysAgo(2, 3, 4, 5);
    expect(rhythmOf({ xml: daysAgo(40, ...before), xer: weekly })?.fileType).toBe("xer");
    expect(rhythmOf({ xer: weekly, mpp: daily })?.fileType).toBe("xer");
    expect(rhythmOf({ mpp: daysAgo(0.5, 3, 4, 5, 6), xer: weekly })?.fileType).toBe("mpp");
    const burst = Array.from({ length: 9 }, (_, at) => NOW_MS - at * MINUTE_MS);
    expect(rhythmOf({ mpp: burst, xer: weekly })?.fileType).toBe("xer");
  });

  test("is none where the middle half of the gaps spreads by more than the median", () => {
    // Gaps of 1, 1, 10 and 30 days: their median is 5.5, their middle half spreads by 14.
    expect(rhythmOf({ xer: daysAgo(1, 2, 3, 13, 43) })?.rhythmMs).toBeNull();
    // Gaps of 4, 6, 8 and 10 days.
    expect(rhythmOf({ xer: daysAgo(1, 5, 11, 19, 29) })?.rhythmMs).toBe(7 * DAY_MS);
  });

  test("is none without an upload in the last year", () => {
    expect(rhythmOf({})).toBeNull();
    expect(rhythmOf({ xer: daysAgo(365, 372, 379, 386, 393) })).toBeNull();
  });

  test("ignores uploads from the future", () => {
    expect(rhythmOf({ xer: [...weekly, NOW_MS + 400 * DAY_MS] })).toEqual(
      rhythmOf({ xer: weekly }),
    );
  });
});

describe("the state of a project", () => {
  const rhythm = { rhythmMs: 7 * DAY_MS, latestMs: 0 };
  const stateAt = (days: number, seen = days) =>
    projectState(rhythm, { nowMs: days * DAY_MS, seenMs: seen * DAY_MS });

  test("is due from a rhythm after the latest upload, and behind after 1.5 rhythms and two days", () => {
    expect(stateAt(6.99)).toBe("current");
    expect(stateAt(7)).toBe("due");
    expect(stateAt(12.5)).toBe("due");
    expect(stateAt(12.51)).toBe("behind");
  });

  test("is unknown without a rhythm", () => {
    expect(projectState(null, { nowMs: 0, seenMs: 0 })).toBeNull();
    expect(
      projectState({ rhythmMs: null, latestMs: 0 }, { nowMs: DAY_MS, seenMs: DAY_MS }),
    ).toBeNull();
  });

  test("is unknown if it changed since the source was last read", () => {
    expect(stateAt(13, 6)).toBeNull();
    expect(stateAt(7.1, 6.9)).toBeNull();
    expect(stateAt(7.01, 6.99)).toBe("due");
    expect(stateAt(6.9, 5)).toBe("current");
    expect(stateAt(40, 13)).toBe("behind");
    expect(projectState(rhythm, { nowMs: DAY_MS, seenMs: null })).toBeNull();
  });
});

describe("properties", () => {
  const instants = fc.array(fc.integer({ min: 0, max: 900 * 24 * 60 }), { maxLength: 40 });
  const byType = fc
    .dictionary(fc.constantFrom("xer", "xml", "ppx", "mpp"), instants)
    .map(
      (types) =>
        new Map(
          Object.entries(types).map(([type, all]) => [
            type,
            all.map((minutes) => NOW_MS - minutes * MINUTE_MS),
          ]),
        ),
    );

  test("a rhythm lies within its gaps, and there is none of fewer than five uploads", () => {
    fc.assert(
      fc.property(byType, (uploads) => {
        const rhythm = usualRhythm(uploads, NOW_MS);
        if (rhythm === null || rhythm.rhythmMs === null) return;
        expect(rhythm.uploads).toBeGreaterThanOrEqual(5);
        expect(rhythm.uploads).toBeLessThanOrEqual(11);
        expect(rhythm.rhythmMs).toBeGreaterThan(HOUR_MS);
        expect(rhythm.rhythmMs).toBeGreaterThanOrEqual(rhythm.shortestMs ?? Infinity);
        expect(rhythm.rhythmMs).toBeLessThanOrEqual(rhythm.longestMs ?? 0);
        expect(rhythm.expectedMs).toBe(rhythm.latestMs + rhythm.rhythmMs);
      }),
    );
  });

  test("the order of uploads and types makes no difference", () => {
    fc.assert(
      fc.property(byType, (uploads) => {
        const reversed = new Map(
          [...uploads].toReversed().map(([type, all]) => [type, all.toReversed()]),
        );
        expect(usualRhythm(reversed, NOW_MS)).toEqual(usualRhythm(uploads, NOW_MS));
      }),
    );
  });

  test("uploading a file again within the hour doesn't change the gaps", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 60 }), (minutes, later) => {
        const all = minutes.map((one) => NOW_MS - (one + 60) * MINUTE_MS).toSorted((a, b) => a - b);
        const [first] = all;
        if (first === undefined) return;
        const without = usualRhythm(new Map([["xer", all]]), NOW_MS);
        const again = usualRhythm(new Map([["xer", [...all, first + later * MINUTE_MS]]]), NOW_MS);
        expect(again?.rhythmMs).toBe(without?.rhythmMs);
        expect(again?.uploads).toBe(without?.uploads);
      }),
    );
  });

  test("an older latest upload never has a better state", () => {
    const ORDER = ["current", "due", "behind"] as const;
    const ms = fc.integer({ min: 1, max: 400 * DAY_MS });
    fc.assert(
      fc.property(ms, ms, ms, (rhythmMs, ageMs, olderByMs) => {
        const at = (latestMs: number) =>
          projectState({ rhythmMs, latestMs }, { nowMs: NOW_MS, seenMs: NOW_MS });
        const [newer, older] = [at(NOW_MS - ageMs), at(NOW_MS - ageMs - olderByMs)];
        if (newer === null || older === null) throw new Error("there is a rhythm");
        expect(ORDER.indexOf(older)).toBeGreaterThanOrEqual(ORDER.indexOf(newer));
      }),
    );
  });
});
