import { expect, test } from "vitest";
import { articleOf, isPluralName, singularName, spokenName } from "./spoken-name";

test.each([
  ["rfis", "RFIs", true],
  ["rfi", "RFI", false],
  ["daily_logs", "Daily logs", true],
  ["punch_list", "Punch list", false],
  ["gl_entries", "GL entries", true],
  ["wbs", "WBS", false],
  ["open_rfis", "Open RFIs", true],
  ["api-calls", "API calls", true],
  ["progress", "Progress", false],
  ["ünits", "Ünits", true],
  ["_", "_", false],
  ["", "", false],
])("spells %j as %j", (key, name, isPlural) => {
  expect(spokenName(key)).toBe(name);
  expect(isPluralName(name)).toBe(isPlural);
});

test.each([
  ["RFIs", "An RFI sync"],
  ["Daily logs", "A Daily log sync"],
  ["Business processes", "A Business process sync"],
  ["GL entries", "A GL entry sync"],
  ["Activities", "An Activity sync"],
  ["Warehouses", "A Warehouse sync"],
  ["Statuses", "A Status sync"],
  ["Series", "A Series sync"],
  ["WBS", "A WBS sync"],
  ["SOVs", "An SOV sync"],
  ["URLs", "A URL sync"],
  ["Uploads", "An Upload sync"],
  ["Users", "A User sync"],
  ["Units", "A Unit sync"],
  ["Hours", "An Hour sync"],
])("a sync of %s is %j", (name, sync) => {
  expect(`${articleOf(name)} ${singularName(name)} sync`).toBe(sync);
});
