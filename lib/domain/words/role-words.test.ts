import { expect, test } from "vitest";
import { hasRight, RIGHTS, ROLES, type Right, type Role } from "@/lib/domain/rights";
import { ROLE_SAYS } from "./role-words";

/** The text of each right within a role's sentence; administrators have all of the settings. */
const SAID: Readonly<Record<Right, string>> = {
  view: "View everything",
  "handle-incidents": "handle incidents",
  "share-links": "share links",
  "delete-files": "delete schedule files",
  "manage-displays": "settings",
  "manage-links": "settings",
  "manage-people": "settings",
  "manage-connections": "settings",
  "manage-channels": "settings",
  "manage-rules": "settings",
};

const rightsOf = (role: Role) =>
  RIGHTS.filter((right) => hasRight([{ role, company: null }], right, null));

test.each(ROLES)("describes exactly the rights that a role adds to the one before: %s", (role) => {
  const before = ROLES[ROLES.indexOf(role) - 1];
  const had = before === undefined ? [] : rightsOf(before);
  const added = rightsOf(role).filter((right) => !had.includes(right));
  expect(added).not.toEqual([]);
  for (const right of RIGHTS) {
    expect(ROLE_SAYS[role].includes(SAID[right])).toBe(added.includes(right));
  }
});
