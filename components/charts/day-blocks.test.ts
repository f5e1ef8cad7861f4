import { expect, test } from "vitest";
import { dayBlocks } from "./day-blocks";

const PX = { height: 20, least: 6 };
const DAY = { overdue: 0, quiet: 0, hidden: 0, worst: null };

test("draws a day on time as a line at the base", () => {
  expect(dayBlocks(DAY, PX)).toEqual([{ look: "fresh", y: 18, height: 2 }]);
});

test("stacks overdue on the base in its worst verdict, and hangs the rest from the top", () => {
  expect(dayBlocks({ overdue: 50, quiet: 30, hidden: 20, worst: "stale" }, PX)).toEqual([
    { look: "stale", y: 10, height: 10 },
    { look: "hidden", y: 0, height: 6 },
    { look: "quiet", y: 6, height: 4 },
  ]);
});

test("makes every part tall enough to be visible, without overlaps", () => {
  expect(dayBlocks({ overdue: 0.1, quiet: 0, hidden: 99.9, worst: "late" }, PX)).toEqual([
    { look: "late", y: 14, height: 6 },
    { look: "hidden", y: 0, height: 14 },
  ]);
});

test("draws no line for an unobserved day", () => {
  expect(dayBlocks({ ...DAY, hidden: 100 }, PX)).toEqual([{ look: "hidden", y: 0, height: 20 }]);
});
