import { expect, test } from "vitest";
import { nextTexts } from "./next-sync-text";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");

test.each([
  [null, "next", "not known", ""],
  ["2026-11-24T14:26:00.005Z", "next", "in 6 m", "14:26"],
  ["2026-11-24T14:21:00Z", "next", "in 1 m", "14:21"],
  ["2026-11-24T14:20:59.999Z", "next", "under 1 m", "14:20"],
  ["2026-11-24T14:20:30Z", "next", "under 1 m", "14:20"],
  ["2026-11-24T14:20:00Z", "next", "now", ""],
  ["2026-11-24T14:19:00.001Z", "next", "now", ""],
  ["2026-11-24T14:10:00Z", "", "was due 14:10", ""],
  ["2026-11-23T19:26:00Z", "", "was due Mon", ""],
  ["2026-11-09T19:26:00Z", "", "was due 9 Nov", ""],
  ["2025-11-09T19:26:00Z", "", "was due 9 Nov 2025", ""],
])("the next sync %s is labelled %j: %s", (at, nextLabel, nextIn, nextAt) => {
  const ms = at === null ? null : Date.parse(at);
  expect(nextTexts(ms, NOW_MS, "UTC")).toEqual({ nextLabel, nextIn, nextAt });
});
