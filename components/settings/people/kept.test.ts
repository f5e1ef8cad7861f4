import { expect, test } from "vitest";
import { isKeptPeople, NO_INVITATION, type KeptPeople } from "./kept";

const KEPT: readonly KeptPeople[] = [
  { dialog: "invite", written: NO_INVITATION },
  { dialog: "edit", person: "1", written: { name: "Bo", grants: [] } },
  { dialog: "disable", person: "1" },
];

test("restores a stored dialog from JSON", () => {
  for (const kept of KEPT) expect(isKeptPeople(JSON.parse(JSON.stringify(kept)))).toBe(true);
});

test.each([
  null,
  "invite",
  { dialog: "invite" },
  { dialog: "invite", written: { name: "Bo" } },
  { dialog: "edit", written: { name: "Bo", grants: [] } },
  { dialog: "disable" },
  { dialog: "delete", person: "1" },
])("ignores state of another version of the page: %j", (kept) => {
  expect(isKeptPeople(kept)).toBe(false);
});
