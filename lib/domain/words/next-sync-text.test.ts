import { expect, test } from "vitest";
import { nextHere, nextTexts } from "./next-sync-text";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");

test.each([
  [null, "not known", ""],
  ["2026-11-24T14:26:00Z", "in 6 m", "14:26"],
  ["2026-11-24T14:20:30Z", "under 1 m", "14:20"],
  ["2026-11-24T14:19:30Z", "now", ""],
  ["2026-11-24T14:10:00Z", "was due 14:10", ""],
  ["2026-11-23T19:26:00Z", "was due Mon", ""],
  ["2026-11-09T19:26:00Z", "was due 9 Nov", ""],
  ["2025-11-09T19:26:00Z", "was due 9 Nov 2025", ""],
])("the next sync %s is %s", (at, nextIn, nextAt) => {
  const ms = at === null ? null : Date.parse(at);
  expect(nextTexts(ms, NOW_MS, "UTC")).toEqual({ nextIn, nextAt });
});

test("a sync that was due isn't called next", () => {
  const here = (at: string) => {
    const { nextIn } = nextTexts(Date.parse(at), NOW_MS, "UTC");
    return nextHere(nextIn) + nextIn;
  };
  expect(here("2026-11-24T14:26:00Z")).toBe("next in 6 m");
  expect(here("2026-11-24T14:10:00Z")).toBe("was due 14:10");
});
