import { expect, test } from "vitest";
import { changeOf, thenAndNowHeadline, thenAndNowTimes, type Side } from "./then-and-now";
import { MINUTE_MS } from "@/lib/domain/time/units";

const side = (word: Side["word"], latenessMinutes: number | null = null): Side => ({
  word,
  ageMs: null,
  latenessMs: latenessMinutes === null ? null : latenessMinutes * MINUTE_MS,
});

test.each([
  ["describes an endpoint that caught up", side("late", 44), side("fresh", -20), "caught up", true],
  ["describes one that became due", side("fresh", -5), side("due", 8), "now due", true],
  ["describes one with a worse verdict", side("late", 20), side("stale", 200), "now stale", true],
  [
    "describes one that is more overdue",
    side("late", 70),
    side("late", 108),
    "38 m more overdue",
    true,
  ],
  [
    "describes one that is less overdue",
    side("stale", 500),
    side("stale", 300),
    "3 h 20 m less overdue",
    true,
  ],
  [
    "describes the difference of what is shown, 5 h 22 m and 5 h 24 m",
    side("failing", 322.9),
    side("failing", 324.1),
    "2 m more overdue",
    true,
  ],
  [
    "describes the difference of what is shown, 3 d 4 h and 3 d 5 h",
    side("stale", 76.8 * 60),
    side("stale", 77.1 * 60),
    "1 h more overdue",
    true,
  ],
  [
    "describes one that is equally overdue",
    side("late", 20),
    side("late", 20),
    "still late",
    false,
  ],
  [
    "describes one that was and is on time",
    side("fresh", -5),
    side("fresh", -40),
    "no change",
    false,
  ],
  ["describes one that was removed", side("fresh", -5), null, "no longer listed", true],
  ["describes one without a record", null, side("late", 5), "not known then", false],
  ["describes one that wasn't observed", side(null), side("late", 5), "not known then", false],
  [
    "describes one that became a webhook",
    side("fresh", -1),
    side("webhook"),
    "now by webhook",
    true,
  ],
])("%s", (_, before, now, text, hasChanged) => {
  expect(changeOf(before, now)).toEqual({ text, hasChanged });
});

const WHEN = {
  atMs: Date.parse("2026-11-19T13:32:00Z"),
  nowMs: Date.parse("2026-11-19T14:10:00Z"),
  timeZone: "Europe/Oslo",
  wasBlind: false,
  isBlind: false,
};

test("counts in the headline what needed attention then and now", () => {
  const late = { before: side("late", 5), now: side("fresh", -5) };
  const stays = { before: side("late", 5), now: side("late", 43) };
  const fine = { before: side("fresh"), now: side("fresh") };
  expect(thenAndNowHeadline([late, stays, fine], WHEN)).toBe(
    "2 of 3 feeds needed attention at 14:32. Now 1 does.",
  );
  expect(thenAndNowHeadline([fine, fine], WHEN)).toBe(
    "None of 2 feeds needed attention at 14:32. Now none does.",
  );
  const lost = { before: side("late", 5), now: side("unknown") };
  expect(thenAndNowHeadline([lost, fine], WHEN)).toBe(
    "1 of 2 feeds needed attention at 14:32. As far as we know, none does now.",
  );
  const gone = { before: side("late", 5), now: null };
  expect(thenAndNowHeadline([gone, gone], WHEN)).toBe(
    "2 of 2 feeds needed attention at 14:32. They’re no longer listed.",
  );
  expect(thenAndNowHeadline([gone, fine], WHEN)).toBe(
    "1 of 2 feeds needed attention at 14:32. As far as we know, none does now.",
  );
  const unseenBefore = { before: null, now: side("late", 5) };
  expect(thenAndNowHeadline([unseenBefore, { before: null, now: side("fresh") }], WHEN)).toBe(
    "No history for 14:32. 1 needs attention now.",
  );
  const unjudged = { before: side("unknown"), now: side("fresh") };
  expect(thenAndNowHeadline([unjudged, { before: null, now: side("fresh") }], WHEN)).toBe(
    "We couldn’t judge them at 14:32. None is known to need attention now.",
  );
  expect(thenAndNowHeadline([unjudged, late], WHEN)).toBe(
    "1 of 2 feeds needed attention at 14:32. Now none does.",
  );
  const [webhook, paused] = [side("webhook"), side("paused")].map((one) => ({
    before: one,
    now: one,
  }));
  const noSchedule = [webhook, paused].filter((one) => one !== undefined);
  expect(thenAndNowHeadline([unjudged, fine, fine, ...noSchedule], WHEN)).toBe(
    "None of the 2 feeds that could be judged needed attention at 14:32. Now none does.",
  );
  expect(thenAndNowHeadline([unjudged, fine], { ...WHEN, noun: "customer" })).toBe(
    "No customer is known to have needed attention at 14:32. Now none does.",
  );
  expect(thenAndNowHeadline([unjudged, unjudged], { ...WHEN, noun: "customer" })).toBe(
    "No customer is known to have needed attention at 14:32. Now none does.",
  );
  expect(thenAndNowHeadline([fine, ...noSchedule], WHEN)).toBe(
    "None of 3 feeds needed attention at 14:32. Now none does.",
  );
  expect(thenAndNowHeadline([unjudged, ...noSchedule], WHEN)).toBe(
    "We couldn’t judge them at 14:32. None is known to need attention now.",
  );
  const same = { before: side("late", 5), now: side("stale", 43) };
  expect(thenAndNowHeadline([same, fine], WHEN)).toBe(
    "1 of 2 feeds needed attention at 14:32, and it still does.",
  );
  expect(thenAndNowHeadline([same, same, fine], WHEN)).toBe(
    "2 of 3 feeds needed attention at 14:32, and they still do.",
  );
  const newly = { before: side("fresh"), now: side("late", 5) };
  expect(thenAndNowHeadline([late, newly], { ...WHEN, noun: "customer" })).toBe(
    "1 of 2 customers needed attention at 14:32. Now 1 does.",
  );
  expect(thenAndNowHeadline([], WHEN)).toBe(
    "No history for 14:32. None is known to need attention now.",
  );
  expect(thenAndNowHeadline([late, fine], { ...WHEN, atMs: WHEN.atMs - 86_400_000 })).toBe(
    "1 of 2 feeds needed attention on Wed 18 Nov at 14:32. Now none does.",
  );
});

test("says in the headline of a blind instant that its date is the last check's", () => {
  const fine = { before: side("fresh"), now: side("fresh") };
  const blind = { ...WHEN, wasBlind: true };
  expect(thenAndNowHeadline([fine, fine], blind)).toBe(
    "None of 2 feeds needed attention at 14:32; we couldn’t check after that. Now none does.",
  );
  expect(thenAndNowHeadline([fine], blind)).toBe(
    "Didn’t need attention at 14:32; we couldn’t check after that. Doesn’t need attention now.",
  );
});

test("says nothing about the present while blind", () => {
  const late = { before: side("late", 5), now: side("fresh", -5) };
  const unknown = { before: null, now: side("fresh") };
  const blind = { ...WHEN, isBlind: true };
  expect(thenAndNowHeadline([late, late], blind)).toBe(
    "2 of 2 feeds needed attention at 14:32. We can’t tell how it is now.",
  );
  expect(thenAndNowHeadline([late], blind)).toBe(
    "Needed attention at 14:32. We can’t tell how it is now.",
  );
  expect(thenAndNowHeadline([unknown], blind)).toBe(
    "No history for 14:32. We can’t tell how it is now.",
  );
  expect(thenAndNowHeadline([unknown, unknown], blind)).toBe(
    "No history for 14:32. We can’t tell how it is now.",
  );
});

test.each([
  ["2026-11-19T13:32:00Z", "Europe/Oslo", "14:32 CET", "15:10 CET"],
  ["2026-11-18T13:32:00Z", "Europe/Oslo", "Wed 18 Nov, 14:32 CET", "Thu 19 Nov, 15:10 CET"],
  ["2026-10-23T12:32:00Z", "Europe/Oslo", "Fri 23 Oct, 14:32 CEST", "Thu 19 Nov, 15:10 CET"],
  ["2025-12-31T23:30:00Z", "UTC", "Wed 31 Dec 2025, 23:30 UTC", "Thu 19 Nov 2026, 14:10 UTC"],
])("heads the columns of %s in %s with %s and %s", (at, timeZone, before, now) => {
  expect(thenAndNowTimes({ atMs: Date.parse(at), nowMs: WHEN.nowMs, timeZone })).toEqual({
    before,
    now,
  });
});

test.each([
  [side("late", 5), side("late", 43), "Needed attention at 14:32; still does."],
  [side("late", 5), side("fresh", -5), "Needed attention at 14:32; doesn’t now."],
  [side("late", 5), side("unknown"), "Needed attention at 14:32; not known now."],
  [side("late", 5), null, "Needed attention at 14:32; no longer listed."],
  [side("fresh", -5), side("late", 5), "Didn’t need attention at 14:32; does now."],
  [side("fresh", -5), side("fresh", -5), "Didn’t need attention at 14:32; still doesn’t."],
  [
    side("unknown"),
    side("fresh", -5),
    "We couldn’t judge it at 14:32. Doesn’t need attention now.",
  ],
  [null, side("late", 5), "No history for 14:32. Needs attention now."],
  [side(null), side("fresh", -5), "No history for 14:32. Doesn’t need attention now."],
  [null, null, "No history for 14:32. No longer listed."],
])("compares one endpoint: %j, then %j", (before, now, headline) => {
  expect(thenAndNowHeadline([{ before, now }], WHEN)).toBe(headline);
});

test("says of customers none of which could be seen then that they couldn't", () => {
  const unseen = { before: side("unknown"), now: side("late", 5) };
  const given = { ...WHEN, noun: "customer", wasUnseen: true } as const;
  expect(thenAndNowHeadline([unseen, { ...unseen, now: side("fresh") }], given)).toBe(
    "We couldn’t see any customer at 14:32. 1 needs attention now.",
  );
  expect(thenAndNowHeadline([unseen], given)).toBe(
    "We couldn’t see it at 14:32. Needs attention now.",
  );
});
