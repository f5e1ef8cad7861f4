import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  areSameGrants,
  claimValues,
  deriveGrants,
  leftOutClaims,
  lookedAtClaims,
  unknownCompanies,
  matchesGlob,
  type AccessRule,
} from "./access-rules";
import { hasRight } from "./rights";

const rule = (claim: string, value: string, more: Partial<AccessRule> = {}): AccessRule => ({
  claim,
  value,
  isGlob: false,
  role: "member",
  companies: ["northgate"],
  ...more,
});

describe("access rules", () => {
  test("gives the first matching rule as the reason, and adds up roles and companies", () => {
    const rules = [
      rule("groups", "unknown"),
      rule("groups", "cs-*", { isGlob: true }),
      rule("groups", "cs-emea", { companies: ["northgate", "harbour"] }),
      rule("department", "CS", { role: "viewer", companies: null }),
    ];
    expect(deriveGrants(rules, { groups: ["all", "cs-emea"], department: "CS" })).toEqual([
      {
        role: "member",
        company: "northgate",
        because: { rule: 2, claim: "groups", value: "cs-emea" },
      },
      {
        role: "member",
        company: "harbour",
        because: { rule: 3, claim: "groups", value: "cs-emea" },
      },
      { role: "viewer", company: null, because: { rule: 4, claim: "department", value: "CS" } },
    ]);
    expect(lookedAtClaims(rules)).toEqual(["groups", "department"]);
  });

  test("lists each unknown company once", () => {
    const to = (...companies: string[]) => ({
      claim: "groups",
      value: "x",
      isGlob: false,
      role: "viewer" as const,
      companies,
    });
    const rules = [
      to("northgate", "nortgate"),
      to("nortgate", "acme"),
      { ...to(), companies: null },
    ];
    expect(unknownCompanies(rules, ["northgate", "harbour"])).toEqual(["nortgate", "acme"]);
    expect(unknownCompanies(rules, ["northgate", "nortgate", "acme"])).toEqual([]);
  });

  test.each([
    [{ level: 3 }, "level", ["3"]],
    [{ staff: true }, "staff", ["true"]],
    [{ groups: ["a", 1, null, ["b"], { c: 1 }] }, "groups", ["a", "1"]],
    [{ realm_access: { roles: ["cs"] } }, "realm_access.roles", ["cs"]],
    [{ "https://example.com/groups": ["cs"] }, "https://example.com/groups", ["cs"]],
    [{ clients: { "app.one": { roles: ["cs"] } } }, "clients.app.one.roles", ["cs"]],
    [{ groups: { cs: true } }, "groups", []],
    [{}, "constructor", []],
    [{}, "__proto__.toString", []],
    [{ groups: ["x".repeat(1_001)] }, "groups", []],
    [{ email: "ana@example.com", email_verified: true }, "email", ["ana@example.com"]],
    [{ email: "ana@example.com" }, "email", ["ana@example.com"]],
    [{ email: "ana@example.com", email_verified: false }, "email", []],
    [{ email: "ana@example.com", email_verified: "false" }, "email", []],
  ])("reads claim %j of %s as the values %j", (claims, claim, values) => {
    expect(claimValues(claims, claim)).toEqual(values);
  });

  test("grants nothing to claims that match no rule", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (claims) => {
        const rules = [rule("groups", "a value that no dictionary holds", { companies: null })];
        expect(deriveGrants(rules, claims)).toEqual([]);
      }),
    );
  });

  test("never grants more than a rule says, and more rules never take anything away", () => {
    const anyRule = fc.record({
      claim: fc.constantFrom("groups", "team"),
      value: fc.constantFrom("a", "b", "*", "a*"),
      isGlob: fc.boolean(),
      role: fc.constantFrom("viewer", "member", "operator"),
      companies: fc.constantFrom(["northgate"], ["harbour", "northgate"], null),
    }) as fc.Arbitrary<AccessRule>;
    const values = fc.array(fc.constantFrom("a", "b", "ab", "c"));
    fc.assert(
      fc.property(fc.array(anyRule), fc.array(anyRule), values, (rules, more, groups) => {
        const few = deriveGrants(rules, { groups });
        const many = deriveGrants([...rules, ...more], { groups });
        for (const { role, company, because } of few) {
          expect(many).toContainEqual({ role, company, because });
          const given = rules[because.rule - 1];
          expect(given?.role).toBe(role);
          expect(given?.companies ?? [null]).toContain(company);
        }
        expect(hasRight(many, "manage-people", null)).toBe(false);
      }),
    );
  });

  test("ignores the order of the rules", () => {
    const rules = [rule("groups", "a"), rule("groups", "b", { role: "viewer" })];
    const found = deriveGrants(rules, { groups: ["a", "b"] });
    expect(areSameGrants(found, deriveGrants(rules.toReversed(), { groups: ["b", "a"] }))).toBe(
      true,
    );
    expect(areSameGrants(found, found.slice(1))).toBe(false);
  });
});

describe("globs", () => {
  test("match like the equivalent regular expression", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", "\n"), maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const source = pattern
          .split("*")
          .map((part) => part.replaceAll(".", "\\."))
          .join("[^]*");
        expect(matchesGlob(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("never take exponential time", () => {
    const pattern = "a*".repeat(500);
    expect(matchesGlob(`${pattern}b`, "a".repeat(1_000))).toBe(false);
    expect(matchesGlob(pattern, "a".repeat(1_000))).toBe(true);
  });
});

test.each([
  [{}, []],
  [{ _claim_names: { groups: "src1" }, _claim_sources: {} }, ["groups"]],
  [{ hasgroups: true }, ["groups"]],
  [{ hasgroups: "true" }, ["groups"]],
  [{ hasgroups: false }, []],
  [{ hasgroups: true, groups: ["a"] }, []],
  [{ _claim_names: ["groups"] }, []],
  [{ _claim_names: null }, []],
])("reports that %j was left out by the provider: %j", (claims, names) => {
  expect(leftOutClaims(claims)).toEqual(names);
});
