import { expect, test } from "vitest";
import { dayMark, dayTimes, dueAt, hourScale, wordsPlace } from "./rehearsal-chart";
import { day, missedDay } from "./promise-fixture";

const DAYS = [
  day("2026-10-13"),
  missedDay("2026-10-14", 130),
  day("2026-10-15", { received_at: "2026-10-15T05:10:00Z" }),
];

test("the scale holds all data, in whole hours around the promised time", () => {
  const scale = hourScale(DAYS, "07:00");
  expect([scale.from, scale.until]).toEqual([-2, 3]);
  expect(dueAt(scale)).toBe(40);
  expect(scale.ticks.map(({ label }) => label)).toEqual([
    "05:00",
    "06:00",
    "08:00",
    "09:00",
    "10:00",
  ]);
});

test("the scale has an hour on either side without data, and twelve at most", () => {
  expect(hourScale([], "07:00")).toMatchObject({ from: -1, until: 1 });
  const wide = hourScale([missedDay("2026-10-14", 5_000)], "22:00");
  expect(wide).toMatchObject({ from: -1, until: 12 });
  // Past midnight.
  expect(wide.ticks.map(({ label }) => label)).toEqual(["01:00", "04:00", "07:00", "10:00"]);
});

test("data in time is a dot, a miss is a bar from the promised time", () => {
  const scale = hourScale(DAYS, "07:00");
  expect(DAYS.map((one) => dayMark(one, scale))).toEqual([
    { kind: "dot", at: 30 },
    { kind: "bar", from: 40, until: 83.3 },
    { kind: "dot", at: 3.3 },
  ]);
  // No data came: the bar has no end.
  expect(dayMark(missedDay("2026-10-16", null), scale)).toEqual({
    kind: "bar",
    from: 40,
    until: 100,
  });
  expect(dayMark(day("2026-10-19", { outcome: "not_observed", received_at: null }), scale)).toEqual(
    {
      kind: "hatched",
    },
  );
  expect(dayMark(day("2026-10-20", { outcome: "excused", received_at: null }), scale)).toEqual({
    kind: "excused",
  });
});

test("the words of a bar stay within the chart", () => {
  const place = (from: number, until: number) => wordsPlace({ kind: "bar", from, until });
  expect(place(20, 50)).toEqual({ at: 50, side: "after" });
  expect(place(70, 100)).toEqual({ at: 70, side: "before" });
  // There is too little room on either side.
  expect(place(20, 100)).toEqual({ at: 60, side: "on" });
});

test("data and warnings of another day are given with their weekday", () => {
  const late = missedDay("2026-10-26", 1_034, { warned_at: "2026-10-26T06:22:00Z" });
  expect(dayTimes(late, "UTC")).toEqual({ at: "Tue 00:14", warned: "06:22" });
  const early = missedDay("2026-10-26", null, { warned_at: "2026-10-25T22:40:00Z" });
  expect(dayTimes(early, "UTC")).toEqual({ at: null, warned: "Sun 22:40" });
});
