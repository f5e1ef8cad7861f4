import { expect, test } from "vitest";
import { isPluralName, spokenName } from "./spoken-name";

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
