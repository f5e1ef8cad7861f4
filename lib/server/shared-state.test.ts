import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sharedState } from "./shared-state";

test("is created once for each owner and name", () => {
  const [one, other] = [{}, {}];
  const created = sharedState(one, "list", () => [1]);
  expect(sharedState(one, "list", () => [2])).toBe(created);
  expect(sharedState(other, "list", () => [2])).toEqual([2]);
  expect(sharedState(one, "another list", () => [3])).toEqual([3]);
});

/** A variable, or something that is filled later, at the top level of a module. */
const STATE =
  /^(?:export )?(?:let \w|var \w|const \w+(?:: (?!Readonly).*)? =\s+(?:new (?:Map|Set|WeakMap|WeakSet|LRUCache)\b(?:<[^(]*>)?\((?!\[|Object|\w+\))|create\w+(?:<[^(]*>)?\())/m;

test("no module of the server keeps state of its own", () => {
  const folder = import.meta.dirname;
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !/(?:test|fixture|setup|manual-clock)\.tsx?$|^test-|\/test-/.test(file),
    )
    .map((file) => path.join(folder, file));
  expect(modules.length).toBeGreaterThan(200);
  const keeping = modules.filter((file) => STATE.test(readFileSync(file, "utf8")));
  expect(keeping.map((file) => path.relative(folder, file))).toEqual([]);
});

test.each([
  "let found = null;",
  "const kept = new WeakMap<Bytes, Map<string, string>>();",
  "const drawn = new LRUCache<string, string>({ max: 50 });",
  "const byDatabase: Counts = new Map();",
  "const opens = createCounter();",
  "const inLane = createLanes<string>();",
])("a module with `%s` keeps state", (line) => expect(line).toMatch(STATE));

test.each(["const NAMES = new Set([1]);", "  let found = null;", "const one = () => new Map();"])(
  "a module with `%s` keeps none",
  (line) => expect(line).not.toMatch(STATE),
);
