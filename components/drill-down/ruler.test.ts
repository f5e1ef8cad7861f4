import { expect, test } from "vitest";
import { NOW_MS, agedRow } from "@/lib/domain/row-fixture";
import { verdict } from "@/lib/domain/verdict";
import { rulerOf } from "./ruler";
import { rulerLabel, rulerMarks } from "./ruler-words";

const judge = (ageMinutes: number | null, frequency_minutes: number | null = 60) => {
  const row = agedRow(ageMinutes, { frequency_minutes });
  return verdict(row, row.known, NOW_MS);
};

test("places due in the middle, and the age in the zone of its verdict", () => {
  for (const minutes of [5, 59, 66, 80, 130, 140, 600]) {
    const judgement = judge(minutes);
    const ruler = rulerOf(judgement);
    expect(ruler?.zones.map(({ word }) => word)).toEqual(["fresh", "due", "late", "stale"]);
    expect(ruler?.zones[1]?.from).toBe(0.5);
    expect(ruler?.zones.at(-1)?.until).toBe(1);
    const zone = ruler?.zones.find(
      ({ from, until }) => from <= ruler.age.share && ruler.age.share <= until,
    );
    expect(zone?.word).toBe(judgement.word);
  }
});

test("has marks only where its scale, of eight cadences, reaches", () => {
  const ruler = rulerOf(judge(5, 1));
  expect(ruler?.from.staleMs).toBeGreaterThan(8 * 60_000);
  expect(ruler?.marks.map(({ ageMs }) => ageMs)).toEqual([ruler?.from.lateMs]);
  expect(rulerOf(judge(5, 60))?.marks).toHaveLength(2);
});

test("is null without an age or a cadence", () => {
  expect(rulerOf(judge(null))).toBeNull();
  expect(rulerOf(judge(10, null))).toBeNull();
});

test("says what is drawn of an age where quiet time of a learned week isn't", () => {
  const [countedMs, ageMs, hourMs] = [20 * 60_000, 2237 * 60_000, 3_600_000];
  const scale = { dueMs: hourMs, lateMs: 2 * hourMs, staleMs: 4 * hourMs };
  const rested = { ageMs, countedMs };
  expect(rulerMarks.age(rested)).toBe("20 m counted");
  expect(rulerMarks.ageOf(rested, hourMs)).toBe("20 m of 1 h counted");
  expect(rulerLabel(rested, scale)).toMatch(/^Age 20 m counted of 37 h 17 m on a scale: due at/);
  const whole = { ageMs: countedMs, countedMs };
  expect(rulerMarks.age(whole)).toBe("20 m");
  expect(rulerMarks.ageOf(whole, hourMs)).toBe("20 m of 1 h");
  expect(rulerLabel(whole, scale)).toMatch(/^Age 20 m on a scale: due at/);
});
