import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { rehearsedWarningMs, type PastAttempts, type PastRun } from "./rehearsed-warning";

const at = (time: string) => Date.parse(`2026-03-02T${time}:00Z`);
// An hourly feed, promised by 07:00.
const OPEN = { fromMs: at("05:00"), dueMs: at("07:00"), limitMs: at("07:00") };
const run = (from: string, until: string | null): PastRun => ({
  startedMs: at(from),
  finishedMs: until === null ? null : at(until),
});

function warned(runs: readonly PastRun[], given: Partial<PastAttempts> = {}, over = "07:00") {
  const attempts = { status: "active", cadenceMs: HOUR_MS, usualMs: 12 * MINUTE_MS, gaps: [] };
  const ms = rehearsedWarningMs(OPEN, at(over), { ...attempts, runs, ...given });
  return typeof ms === "number" ? new Date(ms + 59_999).toISOString().slice(11, 16) : ms;
}

const EARLIER = run("04:40", "04:52");

test.each<[string, string | null, readonly PastRun[]]>([
  ["the next attempt after a failed one is too late", "05:52", [EARLIER, run("05:50", "05:52")]],
  ["the next attempt ends in time, and does", null, [EARLIER, run("05:40", "05:52")]],
  ["no attempt starts when it should", "06:49", [EARLIER, run("05:30", "05:32")]],
  ["a run in time hangs", "07:00", [EARLIER, run("05:30", "05:32"), run("06:30", null)]],
])("a warning when %s", (_, expected, runs) => {
  expect(warned(runs, {}, expected === null ? "05:52" : "07:00")).toBe(expected);
});

test("no warning can be told without attempts, their duration or a cadence", () => {
  expect(warned([])).toBeUndefined();
  expect(warned([run("04:40", "04:52")], { usualMs: null })).toBeUndefined();
  expect(warned([run("04:40", "04:52")], { cadenceMs: null })).toBeUndefined();
  expect(warned([run("05:30", "05:32")])).toBeUndefined();
});

test("a webhook is never warned of", () => {
  expect(warned([], { status: "webhook" })).toBeNull();
});

test("a warning waits until we could see, and isn't sent once the promise is over", () => {
  const runs = [run("04:40", "04:52"), run("06:10", "06:12")];
  expect(warned(runs)).toBe("06:12");
  const gap = { fromMs: at("06:05"), untilMs: at("06:31") };
  const next = { fromMs: at("06:31"), untilMs: at("06:35") };
  expect(warned(runs, { gaps: [next, gap] })).toBe("06:35");
  expect(warned(runs, { gaps: [{ ...gap, untilMs: at("07:20") }] })).toBeNull();
});

test("no warning is sent from the promised time on, although the allowance isn't over", () => {
  const open = { ...OPEN, limitMs: at("08:00") };
  const attempts = { status: "active", cadenceMs: HOUR_MS, usualMs: 20 * MINUTE_MS, gaps: [] };
  const runs = [EARLIER, run("05:30", "05:32"), run("06:30", "06:50")];
  expect(rehearsedWarningMs(open, Infinity, { ...attempts, runs })).toBeNull();
  // One that is too late already is.
  const late = [run("04:20", "04:40"), run("06:10", "06:12")];
  const slow = { ...attempts, usualMs: 65 * MINUTE_MS, runs: late };
  expect(rehearsedWarningMs(open, Infinity, slow)).toBe(at("06:12"));
});
