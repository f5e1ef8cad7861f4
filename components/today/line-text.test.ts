import { expect, test } from "vitest";
import { memberFixture } from "@/lib/domain/today/today-fixture";
import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { lineText } from "./line-text";

const dueBarPermille = (age: number, span: number) =>
  Math.round((dueBarFraction(age, span)?.fraction ?? 0) * 1000);

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const NOW = { apiNowMs: NOW_MS, timeZone: "UTC", isFrozen: false };

test("a line has its age, how overdue it is, and its next sync", () => {
  expect(lineText(memberFixture("a"), NOW)).toEqual({
    age: "1 h 34 m",
    barPermille: 608,
    barOverflows: false,
    barLabel: "1 h 34 m old, due at 13:46",
    overdue: "34 m",
    nextLabel: "next",
    nextIn: "in 6 m",
    nextAt: "14:26",
  });
});

test("a feed that isn't overdue has no bar, because nothing says when its data was due", () => {
  const text = lineText(memberFixture("a", { overdue_since: null }), NOW);
  expect(text).toMatchObject({ age: "1 h 34 m", barPermille: null, overdue: "" });
});

test("time in which its learned week is quiet isn't overdue", () => {
  // A Tuesday.
  const learned_week = {
    time_zone: "UTC",
    spans: [{ from: "tue 13:00", until: "tue 14:00" }],
    since: "2026-10-01T00:00:00Z",
  };
  const member = memberFixture("a", {
    learned_week,
    last_updated_at: "2026-11-24T11:50:00Z",
    overdue_since: "2026-11-24T12:50:00Z",
  });
  // 10 min before it and 20 min after it.
  expect(lineText(member, NOW)).toMatchObject({
    age: "2 h 30 m",
    overdue: "30 m",
    barPermille: dueBarPermille(90, 60),
  });
  const during = { ...NOW, apiNowMs: Date.parse("2026-11-24T13:40:00Z") };
  expect(lineText(member, during)).toMatchObject({ overdue: "10 m" });
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
