import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { ConfigProblems } from "@/lib/server/config/config";
import { problemOf } from "./start-problem";

test("says why a query failed, not which one", () => {
  const cause = new Error('too many connections for role "app"');
  expect(problemOf(new DrizzleQueryError("select 1", [], cause))).toBe(
    'the database failed: too many connections for role "app"',
  );
});

test("keeps the lines of problems of the configuration only", () => {
  const problems = new ConfigProblems(["PORT: is wrong", "HOST: is wrong"]);
  expect(problemOf(problems)).toBe(problems.message);
  expect(problemOf(new Error("a\nb"))).toBe("a\\u{A}b");
});
