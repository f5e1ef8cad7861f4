import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { clockLead, isConfirmed, type ClockLead } from "./clock-lead";

const NOW_MS = Date.parse("2026-11-26T07:00:00Z");

/** Whether each of some snapshots, ten minutes apart, may close days. */
function confirmed(leads: readonly number[], databaseBehindMs = 0): boolean[] {
  let lead: ClockLead | null = null;
  return leads.map((minutes, n) => {
    const ownMs = NOW_MS + n * 10 * MINUTE_MS;
    const databaseMs = ownMs - databaseBehindMs;
    lead = clockLead(lead, { apiMs: ownMs + minutes * MINUTE_MS, ownMs, databaseMs });
    return isConfirmed(lead, ownMs);
  });
}

test("is confirmed up to ten minutes, and whenever the API's clock is behind", () => {
  expect(confirmed([10, 0, -90, 10, 11])).toEqual([true, true, true, true, false]);
});

test("isn't confirmed while it is larger, however often that is said within the hour", () => {
  const month = (30 * DAY_MS) / MINUTE_MS;
  expect(confirmed([0, month, month, 0, month])).toEqual([true, false, false, true, false]);
});

test("is confirmed once it has lasted an hour", () => {
  expect(confirmed([90, 91, 90, 89, 90, 90, 90])).toEqual([...Array(6).fill(false), true]);
  expect(confirmed([90, 90, 90, 120, 120, 120, 120])).not.toContain(true);
});

test("is measured against the earlier of our clock and PostgreSQL's", () => {
  expect(confirmed([0], 30 * DAY_MS)).toEqual([false]);
  expect(confirmed([0], -30 * DAY_MS)).toEqual([true]);
});
