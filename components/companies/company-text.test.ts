import { expect, test } from "vitest";
import { companyFixture } from "./company-fixture";
import { companyTexts } from "./company-text";

const NOW_MS = Date.parse("2026-03-02T12:00:12Z");
const { source } = companyFixture("x");
const troubled = {
  counts: { failing: 1, late: 2, unknown: 1 },
  worst: {
    partner_name: "Procore",
    endpoint_key: "rfis",
    verdict: "failing" as const,
    since: "2026-03-01T08:26:00Z",
  },
  overdue: { endpoints: 3, due_at: "2026-03-02T09:30:00Z" },
};

test("shows since when, how many are overdue for how long, and the data age", () => {
  expect(companyTexts(companyFixture("a", troubled), NOW_MS, "UTC")).toEqual({
    was: "",
    since: "Sun 08:26",
    overdue: "3, worst 2 h 30 m",
    age: "12 s",
    checked: "last complete check 12:00",
  });
  const one = { ...troubled, overdue: { endpoints: 1, due_at: "2026-03-02T11:43:00Z" } };
  expect(companyTexts(companyFixture("a", one), NOW_MS, "UTC").overdue).toBe("17 m");
});

test("uses the API's clock for moments, ours for data ages", () => {
  const ahead = { ...source, api_clock_offset_ms: 60_000 };
  const texts = companyTexts(companyFixture("a", { ...troubled, source: ahead }), NOW_MS, "UTC");
  expect(texts).toMatchObject({ overdue: "3, worst 2 h 31 m", age: "12 s" });
});

test("dates past states once blind, instead of counting on", () => {
  const blind = { ...source, confidence: "blind" as const };
  const texts = companyTexts(companyFixture("a", { ...troubled, source: blind }), NOW_MS, "UTC");
  expect(texts).toMatchObject({
    was: "3, 1 unknown at 12:00",
    since: "",
    overdue: "",
    age: "12:00",
  });
});

test("dates a company that was healthy when it was last seen", () => {
  const blind = { ...source, confidence: "blind" as const };
  expect(companyTexts(companyFixture("a", { source: blind }), NOW_MS, "UTC").was).toBe(
    "none at 12:00",
  );
});

test("shows nothing before the first complete check", () => {
  const unread = { ...source, confidence: "blind" as const, last_success_at: null };
  const texts = companyTexts(companyFixture("a", { source: unread }), NOW_MS, "UTC");
  expect(texts).toMatchObject({ was: "", age: "", checked: "No complete check yet" });
});
