import { expect, test } from "vitest";
import { isKeptPeople, NO_INVITATION, type KeptPeople } from "./kept";

const KEPT: readonly KeptPeople[] = [
  { dialog: "invite", written: NO_INVITATION },
  { dialog: "edit", person: "1", written: { name: "Bo", grants: [] } },
  { dialog: "disable", person: "1" },
];

test("a dialog that was kept is known again, by way of JSON", () => {
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
])("what another version of the page kept is nothing: %j", (kept) => {
  expect(isKeptPeople(kept)).toBe(false);
});
