import { expect, test } from "vitest";
import { compareNames } from "./compare-names";

test("orders names whatever their case and accents, and equal ones always alike", () => {
  const names = ["Basel", "Århus", "ANDPAD", "100% Compliance", "aconex", "Aconex"];
  const ordered = ["100% Compliance", "Aconex", "aconex", "ANDPAD", "Århus", "Basel"];
  expect(names.toSorted(compareNames)).toEqual(ordered);
  expect(names.toReversed().toSorted(compareNames)).toEqual(ordered);
});
