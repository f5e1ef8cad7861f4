import { expect, test } from "vitest";
import { judgeAccessFile } from "./access-file";

const RULE = { claim: "groups", equals: "cs-emea", role: "member", companies: ["northgate"] };
const file = (...rules: unknown[]) => JSON.stringify({ rules });

test("rules are read in their order", () => {
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
])("%s is refused: %s", (content, problem) => {
  const judged = judgeAccessFile(content);
  expect(judged).toEqual({ problems: [expect.stringContaining(problem)] });
});

test("values are never repeated", () => {
  const judged = judgeAccessFile(file({ ...RULE, equals: "secret-group", role: "owner" }));
  expect(JSON.stringify(judged)).not.toContain("secret-group");
});
