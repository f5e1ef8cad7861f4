import { expect, test } from "vitest";
import { filterWords, selected } from "./words";

test.each([
  [0, [], "no baselines"],
  [1, [], "1 is a baseline and needs separate confirmation"],
  [0, ["A7 Interchange"], "no baselines; 1 is the latest upload of A7 Interchange"],
  [
    2,
    ["A7 Interchange", "Riverside Tower"],
    "2 are baselines and need separate confirmation; 2 are the latest uploads of their projects",
  ],
])("a selection of %s baselines and the latest of %j says so", (baselines, latestOf, said) => {
  expect(selected.note(baselines, latestOf)).toBe(said);
});

test("projects of the same name are told apart by source and number", () => {
  const tower = { id: 7, name: "Tower", source: "procore" };
  expect(filterWords.projectOf(tower, false)).toBe("Tower");
  expect(filterWords.projectOf(tower, true)).toBe("Tower (procore 7)");
  expect(filterWords.projectOf({ ...tower, source: null }, true)).toBe("Tower (7)");
});
