import { expect, test } from "vitest";
import { learnedQuiet } from "./quiet-text";

const OSLO = "Europe/Oslo";
const inOslo = (spans: { from: string; until: string }[]) => ({ spans, time_zone: OSLO });

test.for<[string, string, string]>([
  ["sat 00:00", "mon 00:00", "learned: quiet on Sat and Sun"],
  ["sat 00:00", "sun 23:56", "learned: quiet on Sat and Sun"],
  ["sun 00:00", "mon 00:00", "learned: quiet on Sun"],
  ["fri 00:00", "mon 00:00", "learned: quiet from Fri to Sun"],
  ["fri 18:07", "mon 08:00", "learned: quiet from Fri 18:00 to Mon 08:00, Oslo time"],
  ["mon 12:00", "mon 12:05", "learned: quiet from Mon 12:00 to Mon 12:05, Oslo time"],
  ["sun 23:30", "mon 05:00", "learned: quiet from Sun 23:30 to Mon 05:00, Oslo time"],
])("names %s until %s", ([from, until, text]) => {
  expect(learnedQuiet(inOslo([{ from, until }]), OSLO)).toBe(text);
});

test("names two, and counts more", () => {
  const spans = ["mon", "tue", "wed"].map((day) => ({
    from: `${day} 18:00`,
    until: `${day} 22:00`,
  }));
  expect(learnedQuiet(inOslo(spans.slice(0, 2)), OSLO)).toBe(
    "learned: quiet from Mon 18:00 to Mon 22:00 and from Tue 18:00 to Tue 22:00, Oslo time",
  );
  expect(learnedQuiet(inOslo(spans), OSLO)).toBe(
    "learned: quiet from Mon 18:00 to Mon 22:00 and 2 more times a week, Oslo time",
  );
});

test("names the zone of whole days where the reader's is another one or isn't known", () => {
  const week = inOslo([{ from: "sat 00:00", until: "mon 00:00" }]);
  for (const zone of ["America/New_York", null])
    expect(learnedQuiet(week, zone)).toBe("learned: quiet on Sat and Sun, Oslo time");
});
