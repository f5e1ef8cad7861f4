import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRight, highestRole, RIGHTS, ROLES, type Grant, type Right, type Role } from "./rights";

const rightsOf = (role: Role) =>
  RIGHTS.filter((right) => hasRight([{ role, company: null }], right, "harbour"));

test("gives each role the rights of the one below and more", () => {
  expect(rightsOf("viewer")).toEqual(["view"]);
  expect(rightsOf("member")).toEqual(["view", "handle-incidents", "share-links"]);
  expect(rightsOf("operator")).toEqual(["view", "handle-incidents", "share-links", "delete-files"]);
  expect(rightsOf("administrator")).toEqual(RIGHTS);
});

const grant: fc.Arbitrary<Grant> = fc.record({
  role: fc.constantFrom(...ROLES),
  company: fc.constantFrom(null, "northgate", "harbour"),
});
const right: fc.Arbitrary<Right> = fc.constantFrom(...RIGHTS);

test("limits a grant for one company to that company", () => {
  fc.assert(
    fc.property(fc.array(grant), right, (grants, requested) => {
      const elsewhere = grants.filter(({ company }) => company !== "northgate");
      expect(hasRight(grants, requested, "orchard")).toBe(
        hasRight(elsewhere, requested, "orchard"),
      );
      const everywhere = grants.filter(({ company }) => company === null);
      expect(hasRight(grants, requested, null)).toBe(hasRight(everywhere, requested, null));
    }),
  );
});

test("adds up grants, and never removes a right", () => {
  fc.assert(
    fc.property(fc.array(grant), grant, right, (grants, more, requested) => {
      const before = hasRight(grants, requested, "harbour");
      const after = hasRight([...grants, more], requested, "harbour");
      expect(after || !before).toBe(true);
    }),
  );
});

test("gives no right and no role without a grant", () => {
  expect(RIGHTS.some((requested) => hasRight([], requested, "northgate"))).toBe(false);
  expect(highestRole([])).toBeNull();
});

test("returns the highest role at any company", () => {
  expect(
    highestRole([
      { role: "operator", company: "harbour" },
      { role: "viewer", company: null },
    ]),
  ).toBe("operator");
});
