import { expect, test } from "vitest";
import { dayBlocks } from "./day-blocks";

const PX = { height: 20, least: 6 };
const DAY = { overdue: 0, quiet: 0, hidden: 0, worst: null };

test("a day on time is a line at the base", () => {
  expect(dayBlocks(DAY, PX)).toEqual([{ look: "fresh", y: 18, height: 2 }]);
});

test("overdue stands on the base in its worst verdict, and the rest hangs from the top", () => {
  expect(dayBlocks({ overdue: 50, quiet: 30, hidden: 20, worst: "stale" }, PX)).toEqual([
    { look: "stale", y: 10, height: 10 },
    { look: "hidden", y: 0, height: 6 },
    { look: "quiet", y: 6, height: 4 },
  ]);
});

test("a little of it is tall enough to be seen, and nothing is drawn over another", () => {
  expect(dayBlocks({ overdue: 0.1, quiet: 0, hidden: 99.9, worst: "late" }, PX)).toEqual([
    { look: "late", y: 14, height: 6 },
    { look: "hidden", y: 0, height: 14 },
  ]);
});

test("a day that nobody saw has no line", () => {
  expect(dayBlocks({ ...DAY, hidden: 100 }, PX)).toEqual([{ look: "hidden", y: 0, height: 20 }]);
});
