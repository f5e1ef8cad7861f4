import { expect, test } from "vitest";
import { blockPaths } from "./sync-blocks";

const NONE = { failing: 0, stale: 0, late: 0, others: 0 };
const at = (minute: number, given: Partial<typeof NONE>) => ({
  atMs: minute * 60_000,
  ...NONE,
  ...given,
});

test("draws one block per sync in its minute, taller where the feed is behind", () => {
  const minutes = [at(0, { others: 2 }), at(6, { failing: 1, others: 1 })];
  expect(blockPaths({ fromMs: 0, minutes })).toEqual([
    { kind: "failing", path: "M6.5 34V27" },
    { kind: "others", path: "M0.5 34V31M0.5 30V27M6.5 26V23" },
  ]);
});

test("lowers all blocks where the highest minute has no room below the labels, and merges them if there are many", () => {
  const some = blockPaths({ fromMs: 0, minutes: [at(0, { others: 10 }), at(1, { late: 1 })] });
  expect(some.find(({ kind }) => kind === "others")?.path.match(/M/g)).toHaveLength(10);
  const [late] = some;
  expect(late).toEqual({ kind: "late", path: "M1.5 34V29.5" });
  const many = blockPaths({ fromMs: 0, minutes: [at(0, { stale: 20, others: 80 })] });
  expect(many).toEqual([
    { kind: "stale", path: expect.stringMatching(/^M0.5 34V[\d.]+$/) as string },
    { kind: "others", path: expect.stringMatching(/^M0.5 [\d.]+V9(\.1)?$/) as string },
  ]);
});

test("draws nothing without a sync", () => {
  expect(blockPaths({ fromMs: 0, minutes: [] })).toEqual([]);
});
