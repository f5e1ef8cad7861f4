import { expect, test } from "vitest";
import { memberFixture } from "@/lib/domain/today/today-fixture";
import { lineText } from "./line-text";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const NOW = { apiNowMs: NOW_MS, timeZone: "UTC", isFrozen: false };

test("a line has its age, how overdue it is, and its next sync", () => {
  expect(lineText(memberFixture("a"), NOW)).toEqual({
    age: "1 h 34 m",
    barPermille: 608,
    barOverflows: false,
    barLabel: "1 h 34 m old, due at 13:46",
    overdue: "34 m",
    nextIn: "in 6 m",
    nextAt: "14:26",
  });
});

test("a feed that isn't overdue has no bar, because nothing says when its data was due", () => {
  const text = lineText(memberFixture("a", { overdue_since: null }), NOW);
  expect(text).toMatchObject({ age: "1 h 34 m", barPermille: null, overdue: "" });
});

test("without data there is no age", () => {
  const text = lineText(memberFixture("a", { last_updated_at: null }), NOW);
  expect(text).toMatchObject({ age: "", barPermille: null, overdue: "34 m" });
});

test("nothing is known of the next sync of a past instant", () => {
  expect(lineText(memberFixture("a"), { ...NOW, isFrozen: true })).toMatchObject({
    nextIn: "not known",
    nextAt: "",
  });
});
