import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRight, RIGHTS, ROLES, type Grant } from "@/lib/domain/rights";
import { narrowGrants } from "./narrow-grants";

const SLUGS = ["ash", "birch", "cedar"] as const;
const grants = fc.array(
  fc.record({
    role: fc.constantFrom(...ROLES),
    company: fc.constantFrom(null, ...SLUGS),
  }),
) satisfies fc.Arbitrary<Grant[]>;
const companies = fc.option(fc.subarray([...SLUGS], { minLength: 1 }));
const places = [null, ...SLUGS, "unknown"];

test("never gives a right that the person doesn't have there, nor one at another company", () => {
  fc.assert(
    fc.property(grants, companies, (all, named) => {
      const left = narrowGrants(all, named);
      for (const right of RIGHTS)
        for (const place of places) {
          if (!hasRight(left, right, place)) continue;
          expect(hasRight(all, right, place)).toBe(true);
          if (named !== null) expect(named).toContain(place);
        }
    }),
  );
});

test("keeps viewing and handling incidents at the token's companies, and no more than members have", () => {
  fc.assert(
    fc.property(grants, companies, (all, named) => {
      const left = narrowGrants(all, named);
      for (const company of named ?? SLUGS) {
        for (const right of ["view", "handle-incidents"] as const)
          expect(hasRight(left, right, company)).toBe(hasRight(all, right, company));
        expect(hasRight(left, "delete-files", company)).toBe(false);
      }
      expect(hasRight(left, "manage-people", null)).toBe(false);
    }),
  );
});

test("keeps the other properties of a grant", () => {
  const grant = { role: "operator", company: null, because: "rule" } as const;
  expect(narrowGrants([grant], ["ash"])).toEqual([
    { role: "member", company: "ash", because: "rule" },
  ]);
});
