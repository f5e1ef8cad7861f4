import { expect, test } from "vitest";
import { changeText, loadWords, rateText, unitOf } from "./load-words";

const rate = (messages: number, per_day: number) => ({ messages, per_day });

test("says how many alerts there are a day, and how many of them are about one feed", () => {
  expect(loadWords.title(rate(180, 6), rate(120, 4), 30)).toBe(
    "6 alerts a day; 4 of them about one feed",
  );
  expect(loadWords.title(rate(12, 0.4), rate(8, 0.3), 30)).toBe(
    "12 alerts in the past 30 days; 8 of them about one feed",
  );
  expect(loadWords.title(rate(1, 0), rate(1, 0), 30)).toBe("1 alert in the past 30 days");
  expect(loadWords.title(rate(0, 0), null, 7)).toBe("No alerts in the past 7 days");
});

test("gives rates in the unit of what they are compared with", () => {
  expect(unitOf(rate(60, 2), 30)).toBe("day");
  expect(unitOf(rate(12, 0.4), 30)).toEqual({ days: 30 });
  expect(rateText(rate(60, 2), "day")).toBe("2 a day");
  expect(rateText(rate(60, 2), { days: 30 })).toBe("60 in 30 days");
  expect(rateText(rate(3, 0.1), "day")).toBe("0.1 a day");
  expect(rateText(rate(1, 0), "day")).toBe("under 0.1 a day");
  expect(rateText(rate(0, 0), "day")).toBe("none");
});

test("names what would be changed", () => {
  expect(changeText({ from_verdict: "stale" })).toBe("Only stale and worse");
  expect(changeText({ from_verdict: "failing" })).toBe("Only failing");
  expect(changeText({ after_minutes: 15 })).toBe("Only what lasts 15 m");
  expect(changeText({ only_mine: true })).toBe("Only mine");
  const quiet = { days: [], from: "22:00", until: "07:00", time_zone: "Europe/Oslo" };
  expect(changeText({ quiet })).toBe("Quiet hours from 22:00 to 07:00");
});
