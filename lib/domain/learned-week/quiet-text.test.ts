import { expect, test } from "vitest";
import { learnedQuiet } from "./quiet-text";

test.for<[string, string, string]>([
  ["sat 00:00", "mon 00:00", "learned: quiet on Sat and Sun"],
  ["sat 00:00", "sun 23:56", "learned: quiet on Sat and Sun"],
  ["sun 00:00", "mon 00:00", "learned: quiet on Sun"],
  ["fri 00:00", "mon 00:00", "learned: quiet from Fri to Sun"],
  ["fri 18:07", "mon 08:00", "learned: quiet from Fri 18:00 to Mon 08:00"],
  ["mon 12:00", "mon 12:05", "learned: quiet from Mon 12:00 to Mon 12:05"],
  ["sun 23:30", "mon 05:00", "learned: quiet from Sun 23:30 to Mon 05:00"],
])("names %s until %s", ([from, until, text]) => {
  expect(learnedQuiet([{ from, until }])).toBe(text);
});

test("names two, and counts more", () => {
  const spans = ["mon", "tue", "wed"].map((day) => ({
    from: `${day} 18:00`,
    until: `${day} 22:00`,
  }));
  expect(learnedQuiet(spans.slice(0, 2))).toBe(
    "learned: quiet from Mon 18:00 to Mon 22:00 and from Tue 18:00 to Tue 22:00",
  );
  expect(learnedQuiet(spans)).toBe(
    "learned: quiet from Mon 18:00 to Mon 22:00 and 2 more times a week",
  );
});
