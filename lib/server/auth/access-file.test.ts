import { expect, test } from "vitest";
import { deriveGrants } from "@/lib/domain/access-rules";
import { judgeAccessFile } from "./access-file";

const RULE = { claim: "groups", equals: "cs-emea", role: "member", companies: ["northgate"] };
const file = (...rules: unknown[]) => JSON.stringify({ rules });

test("returns the rules in file order", () => {
  expect(
    judgeAccessFile(
      file(
        RULE,
        { claim: "groups", matches: "ops-*", role: "administrator", companies: "all" },
        { claim: "staff", equals: true, role: "viewer", companies: "all" },
      ),
    ),
  ).toEqual({
    value: [
      {
        claim: "groups",
        value: "cs-emea",
        isGlob: false,
        role: "member",
        companies: ["northgate"],
      },
      { claim: "groups", value: "ops-*", isGlob: true, role: "administrator", companies: null },
      { claim: "staff", value: "true", isGlob: false, role: "viewer", companies: null },
    ],
  });
  expect(judgeAccessFile(file())).toEqual({ value: [] });
});

test.each([
  ["{", "ACCESS_FILE: must be JSON"],
  ["[]", 'ACCESS_FILE: must be {"rules": [...]} with at most 500 rules'],
  [file({ ...RULE, equals: undefined }), "rule 1, equals: give either"],
  [file({ ...RULE, matches: "cs-*" }), "rule 1, equals: give either"],
  [file(RULE, { ...RULE, role: "administrator" }), "rule 2, role: must be one of"],
  [file({ ...RULE, role: "owner" }), "rule 1, role: must be one of"],
  [file({ ...RULE, companies: [] }), 'rule 1, companies: must be "all" or a list'],
  [file({ ...RULE, companies: "northgate" }), 'rule 1, companies: must be "all" or a list'],
  [file({ ...RULE, company: "northgate" }), "rule 1: unknown members: company"],
  [file("groups"), "rule 1: must be an object"],
])("rejects %s: %s", (content, problem) => {
  const judged = judgeAccessFile(content);
  expect(judged).toEqual({ problems: [expect.stringContaining(problem)] });
});

test.each([
  ["deep", `{"rules":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`],
  ["a deep rule", `{"rules":[${'{"claim":'.repeat(200_000)}1${"}".repeat(200_000)}]}`],
  [
    "deep companies",
    file({ ...RULE, companies: JSON.parse("[".repeat(5_000) + "]".repeat(5_000)) }),
  ],
  ["another prototype", `{"__proto__":{"rules":[]},"rules":[]}`],
  ["a prototype for a file", `{"__proto__":{"rules":[]}}`],
  ["a rule of a prototype", `{"rules":[{"__proto__":${JSON.stringify(RULE)}}]}`],
  [
    "a rule with a prototype",
    `{"rules":[{"__proto__":{"role":"administrator"},${JSON.stringify(RULE).slice(1)}]}`,
  ],
  ["a constructor", `{"rules":[],"constructor":{"prototype":{"role":"administrator"}}}`],
  ["more rules than there may be", file(...Array.from({ length: 501 }, () => RULE))],
  ["four megabytes of nothing", `"${"x".repeat(4 * 1024 * 1024)}"`],
  ["null", "null"],
  ["empty", ""],
])("rejects %s without polluting Object.prototype", (_, content) => {
  expect(judgeAccessFile(content)).toHaveProperty("problems");
  expect(({} as { role?: string; rules?: unknown }).role).toBeUndefined();
  expect(({} as { role?: string; rules?: unknown }).rules).toBeUndefined();
});

test("accepts a byte order mark, which some editors write", () => {
  expect(judgeAccessFile(`\uFEFF${file(RULE)}`)).toEqual(judgeAccessFile(file(RULE)));
});

test("uses the last of duplicate members, like JSON.parse", () => {
  const twice = JSON.stringify(RULE).replace('"role"', '"role":"viewer","role"');
  expect(judgeAccessFile(`{"rules":[${twice}]}`)).toMatchObject({ value: [{ role: "member" }] });
});

test("matches no inherited properties as claims", () => {
  const judged = judgeAccessFile(
    file(
      { ...RULE, claim: "__proto__", equals: undefined, matches: "*" },
      { ...RULE, claim: "constructor.name", equals: "Object" },
      { ...RULE, claim: "toString", equals: undefined, matches: "*" },
    ),
  );
  expect("value" in judged && deriveGrants(judged.value, { groups: ["x"] })).toEqual([]);
});

test("doesn't quote values in problems", () => {
  const judged = judgeAccessFile(file({ ...RULE, equals: "secret-group", role: "owner" }));
  expect(JSON.stringify(judged)).not.toContain("secret-group");
});
