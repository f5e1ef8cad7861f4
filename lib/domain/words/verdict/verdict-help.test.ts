import { describe, expect, test } from "vitest";
import { judge } from "@/lib/domain/judge";
import { minutesAgo, NOW_MS, row } from "@/lib/domain/row-fixture";
import { actionText, meaningText, statesOf } from "./verdict-help";

const WHEN = { nowMs: NOW_MS, timeZone: "UTC" };

function judged(given: Parameters<typeof row>[0]) {
  const its = row(given);
  const judgement = judge(its, { atMs: NOW_MS, isFrozen: false });
  return { row: its, word: judgement.word, judgement };
}
const STALE = judged({
  frequency_minutes: 30,
  last_updated_at: minutesAgo(280),
  last_sync_status: "rate_limited",
  last_sync_started_at: minutesAgo(15),
  last_sync_finished_at: minutesAgo(15),
  next_sync_at: minutesAgo(-15),
});
type Given = Parameters<typeof actionText>[1];
const action = (
  of: ReturnType<typeof judged>,
  onIt: Given["onIt"],
  promise: Given["promise"] = null,
) => actionText(of, { onIt, promise, isFrozen: false }, WHEN);

describe("what a verdict means", () => {
  test("is one sentence, and the sum with the figures of the row", () => {
    expect(STALE.word).toBe("stale");
    expect(meaningText(STALE, null, WHEN)).toBe(
      "New data is overdue by more than a whole cycle. It’s expected every 30 m and is 4 h 40 m old, so 4 h 10 m overdue. The last run hit the partner’s limit on requests and brought no data. It doesn’t count as a failed run, but the data can still become overdue.",
    );
    expect(meaningText(judged({}), null, WHEN)).toBe(
      "New data arrived on schedule. It’s expected every 1 h and is 20 m old.",
    );
  });

  test("includes a stuck run", () => {
    const stuck = judged({
      last_sync_status: "in_progress",
      last_sync_started_at: minutesAgo(600),
      last_sync_finished_at: null,
    });
    expect(statesOf(stuck.judgement, false)).toEqual(["stuck"]);
    expect(meaningText(stuck, null, WHEN)).toMatch(/its run looks stuck|Its run looks stuck/);
    expect(action(stuck, null)).toBe(
      "No one is on it yet. The current run looks stuck and may not finish. If no data arrives, contact Procore support.",
    );
  });

  test("is that of the last check while it can't be checked, and says so first", () => {
    const text = meaningText(STALE, NOW_MS - 3_600_000, WHEN);
    expect(text).toMatch(/^We haven’t been able to check since 12:32\. It was stale then, /);
    expect(text).not.toContain("4 h 40 m");
    expect(statesOf(STALE.judgement, true)).toEqual(["not_checked"]);
    expect(actionText(STALE, { onIt: null, promise: null, isFrozen: true }, WHEN)).toBe(
      "Nothing for now. We’re still trying to check.",
    );
  });
});

describe("what to do", () => {
  test("names who is on it, the attempt to wait for, and whom to contact", () => {
    const sinceMs = NOW_MS - 7_200_000;
    expect(action(STALE, { name: "Ana", isYou: true, sinceMs })).toBe(
      "You’ve been on it since 11:32. The last run was rate limited, so wait for the attempt at 13:47. If no data arrives, contact Procore support.",
    );
    expect(action(STALE, { name: "Tom", isYou: false, sinceMs })).toMatch(
      /^Tom has been on it since 11:32\./,
    );
    expect(action(STALE, "no-incident")).toMatch(/^No incident is open yet\./);
    expect(action(STALE, "not-known")).toMatch(/^The last run/);
  });

  test("doesn't promise an attempt that should have started", () => {
    const missed = { last_updated_at: minutesAgo(100), next_sync_at: minutesAgo(10) };
    const silent = judged({ ...missed, last_sync_started_at: minutesAgo(101) });
    expect(action(silent, null)).toContain("The attempt due at 13:22 hasn’t started.");
    const limited = { last_sync_status: "rate_limited", last_sync_started_at: minutesAgo(5) };
    expect(action(judged({ ...missed, ...limited }), null)).toContain(
      "The last run was rate limited, and no time is set for the next attempt.",
    );
  });

  test("waits for a sync that is running", () => {
    const running = judged({
      last_updated_at: minutesAgo(100),
      last_sync_status: "in_progress",
      last_sync_started_at: minutesAgo(1),
      last_sync_finished_at: null,
      next_sync_at: null,
    });
    expect(action(running, null)).toContain("A sync is running now");
  });

  test("says when a due feed becomes late", () => {
    const due = judged({ last_updated_at: minutesAgo(62) });
    expect(due.word).toBe("due");
    expect(action(due, null)).toMatch(
      /^Nothing for now\. It’s late at \d\d:\d\d if no data arrives by then\.$/,
    );
  });

  test("is nothing for what is fresh or sent by webhook, and to turn on what is paused", () => {
    expect(action(judged({}), null)).toBe("Nothing.");
    expect(action(judged({ status: "webhook" }), null)).toBe("Nothing.");
    expect(action(judged({ status: "inactive" }), null)).toMatch(/turn it on at the source/);
  });

  test("is to expect promised data where a feed is on time without it", () => {
    const missed =
      "The promised data hasn’t arrived yet. If no data arrives, contact Procore support.";
    expect(action(judged({ status: "webhook" }), "no-incident", "missed")).toBe(missed);
    expect(action(judged({}), "no-incident", "missed")).toBe(missed);
    expect(action(judged({ last_updated_at: minutesAgo(62) }), "no-incident", "at_risk")).toBe(
      "The promised data may be late. If no data arrives, contact Procore support.",
    );
    expect(action(judged({ status: "inactive" }), "no-incident", "missed")).toMatch(/turn it on/);
  });

  test("is nothing in a planned quiet time, in which no incident opens", () => {
    expect(action(STALE, "quiet")).toBe(
      "Nothing for now. It’s in planned quiet, so no incident will open.",
    );
  });

  test.each([
    [{ last_updated_at: null, last_sync_status: null, last_sync_started_at: null }, /first data/],
    [{ status: "sleeping" }, /status means/],
    [{ frequency_minutes: null }, /learn its cadence/],
  ])("depends on why a verdict is unknown: %o", (given, expected) => {
    const unknown = judged(given);
    expect(unknown.word).toBe("unknown");
    expect(action(unknown, null)).toMatch(expected);
  });
});
