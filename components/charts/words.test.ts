import { expect, test } from "vitest";
import { overdueText } from "./words";

test("says how often data was overdue, and never more than is known", () => {
  expect(overdueText({ overdue: 0, gaps: 0, unknown: 0 })).toBe("never overdue");
  expect(overdueText({ overdue: 3, gaps: 1, unknown: 0 })).toBe(
    "overdue 3 times, 1 gap not checked",
  );
  expect(overdueText({ overdue: 0, gaps: 0, unknown: 1 })).toBe(
    "never known to be overdue, verdict unknown once",
  );
});
