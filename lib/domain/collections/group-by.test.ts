import { expect, test } from "vitest";
import { groupBy } from "./group-by";

test("groups stand in order of their first item, and items keep their order", () => {
  const groups = groupBy(["pear", "fig", "plum", "kiwi", "fir"], (word) => word.length);
  expect([...groups]).toEqual([
    [4, ["pear", "plum", "kiwi"]],
    [3, ["fig", "fir"]],
  ]);
});

test("keys are compared as in a Map, also those that objects have", () => {
  const groups = groupBy(["constructor", "__proto__", "constructor"], (name) => name);
  expect([...groups.keys()]).toEqual(["constructor", "__proto__"]);
  expect(groups.get("constructor")).toHaveLength(2);
});

test("nothing gives no groups", () => {
  expect(groupBy([], String).size).toBe(0);
});
