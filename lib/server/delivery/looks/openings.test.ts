import { expect, test } from "vitest";
import { createOpenings } from "./openings";

const ALL = ["a", "b"];

test("each company is due once for each of its checks", () => {
  const openings = createOpenings();
  const looked = new Map([["a", 1_000]]);
  expect(openings.due(ALL, looked, 0)).toEqual(["a"]);
  openings.planned(["a"], looked);
  expect(openings.due(ALL, looked, 0)).toEqual([]);
  // Checked while it was planned, which was still as of the check before.
  const checked = new Map([...looked, ["a", 1_001], ["b", 1_000]]);
  expect(openings.due(ALL, checked, 0)).toEqual(ALL);
  openings.planned(ALL, looked);
  expect(openings.due(ALL, checked, 0)).toEqual(ALL);
  openings.planned(ALL, checked);
  expect(openings.due(ALL, checked, 0)).toEqual([]);
});

test("a company is due from the moment its first opening has waited, until it is planned", () => {
  const openings = createOpenings();
  openings.wait("a", [2_000, 1_000]);
  expect(openings.due(ALL, new Map(), 999)).toEqual([]);
  expect(openings.due(ALL, new Map(), 1_000)).toEqual(["a"]);
  openings.wait("a", [2_000]);
  expect(openings.due(ALL, new Map(), 1_000)).toEqual([]);
  openings.wait("a", []);
  expect(openings.due(ALL, new Map(), 9_000)).toEqual([]);
});
