import { expect, test } from "vitest";
import { worstDays } from "@/lib/domain/deadlines/kept";
import { warnedMisses, countedDays, worstMiss } from "./kept";
import { day, missedDay } from "./promise-fixture";
import { rehearsalTitle } from "./words";

test("the worst feed decides a day, and the latest data a missed one", () => {
  const days = worstDays([
    { days: [day("2026-11-03"), missedDay("2026-11-02", 20)] },
    { days: [missedDay("2026-11-02", 130), day("2026-11-03", { outcome: "not_observed" })] },
    { days: [day("2026-11-02"), day("2026-11-03", { outcome: "excused" })] },
    { days: [day("2026-11-04"), day("2026-11-05", { outcome: "excused" })] },
    { days: [day("2026-11-04", { outcome: "excused" })] },
  ]);
  expect(days.map(({ date, outcome }) => [date, outcome])).toEqual([
    ["2026-11-02", "missed"],
    ["2026-11-03", "not_observed"],
    ["2026-11-04", "met"],
    ["2026-11-05", "excused"],
  ]);
  expect(worstMiss(days)?.late_seconds).toBe(7_800);
});

test("a miss without any data is the worst", () => {
  const days = [missedDay("2026-11-02", 600), missedDay("2026-11-03", null)];
  expect(worstMiss(days)?.date).toBe("2026-11-03");
  expect(worstMiss([day("2026-11-02")])).toBeNull();
});

test("a rehearsal counts mornings, not mornings of feeds", () => {
  const excused = ["2026-10-13", "2026-10-14", "2026-10-15"].map((date) =>
    day(date, { outcome: "excused" }),
  );
  const feeds = [
    { days: [day("2026-10-13"), missedDay("2026-10-14", 130)] },
    { days: [day("2026-10-13"), missedDay("2026-10-14", 20)] },
    { days: excused },
  ];
  const { counts, days } = countedDays(feeds);
  expect(counts).toEqual({ met: 1, missed: 1, not_observed: 0, excused: 1 });
  expect(rehearsalTitle(counts, days, { by: "07:00", month: "2026-10" })).toBe(
    "Would have been kept on 1 of 2 mornings in October, missed on the 14th by 2 h 10 m",
  );
});

test("a morning is warned of if each feed that missed it was, and not known if one isn't", () => {
  const warned = (date: string, time: string) =>
    missedDay(date, 20, { warned_at: `${date}T${time}:00Z` });
  const feeds = [
    { days: [warned("2026-10-13", "06:45"), warned("2026-10-14", "06:45"), day("2026-10-15")] },
    {
      days: [
        day("2026-10-13", { warned_at: null }),
        warned("2026-10-14", "06:46"),
        missedDay("2026-10-15", 20, { is_warning_known: false }),
      ],
    },
    {
      days: [missedDay("2026-10-16", 20), missedDay("2026-10-16", 5, { is_warning_known: false })],
    },
  ];
  expect(warnedMisses(feeds)).toEqual({
    missed: 4,
    warned: 1,
    partly: 1,
    unknown: 1,
    leadMs: null,
  });
});
