import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRight, highestRole, RIGHTS, ROLES, type Grant, type Right, type Role } from "./rights";

const rightsOf = (role: Role) =>
  RIGHTS.filter((right) => hasRight([{ role, company: null }], right, "harbour"));

test("each role has the rights of the one below and more", () => {
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

test("a grant for one company counts there and nowhere else", () => {
  fc.assert(
    fc.property(fc.array(grant), right, (grants, asked) => {
      const elsewhere = grants.filter(({ company }) => company !== "northgate");
      expect(hasRight(grants, asked, "orchard")).toBe(hasRight(elsewhere, asked, "orchard"));
      const everywhere = grants.filter(({ company }) => company === null);
      expect(hasRight(grants, asked, null)).toBe(hasRight(everywhere, asked, null));
    }),
  );
});

test("grants add up: one more never takes a right away", () => {
  fc.assert(
    fc.property(fc.array(grant), grant, right, (grants, more, asked) => {
      const before = hasRight(grants, asked, "harbour");
      const after = hasRight([...grants, more], asked, "harbour");
      expect(after || !before).toBe(true);
    }),
  );
});

test("without a grant there is no right at all, and no role", () => {
  expect(RIGHTS.some((asked) => hasRight([], asked, "northgate"))).toBe(false);
  expect(highestRole([])).toBeNull();
});

test("the highest role is the most that somebody is anywhere", () => {
  expect(
    highestRole([
      { role: "operator", company: "harbour" },
      { role: "viewer", company: null },
    ]),
  ).toBe("operator");
});
