import { expect, test } from "vitest";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { row as rowFixture } from "@/lib/domain/row-fixture";
import type { EndpointFacts } from "@/lib/domain/sync";
import { isBelowTarget, keptPercentage } from "./kept";
import { isAtRisk, riskOf } from "./risk";

const at = (time: string) => Date.parse(`2026-11-26T${time}:00Z`);
const text = (time: string) => `2026-11-26T${time}:00Z`;
const OPEN = { fromMs: at("05:00"), dueMs: at("07:00"), limitMs: at("07:00") };
const KNOWN: EndpointFacts = { ...NOTHING_KNOWN, typical_duration_seconds: 720 };
const RUNNING = { last_sync_status: "in_progress", last_sync_started_at: text("06:30") };

function risk(
  now: string,
  row: Parameters<typeof rowFixture>[0],
  open: Partial<typeof OPEN> = {},
  known = KNOWN,
) {
  const of = rowFixture({ next_sync_at: text("06:40"), last_sync_duration_seconds: 60, ...row });
  return riskOf(of, known, { ...OPEN, ...open }, at(now));
}

test.each([
  ["before the window", "04:59", {}, "not_yet"],
  ["if the next sync ends in time", "06:00", {}, "safe"],
  ["if it ends exactly then", "06:00", { next_sync_at: text("06:48") }, "safe"],
  ["if it usually ends later", "06:00", { next_sync_at: text("06:49") }, "too_late"],
  ["if it is overdue and could still be in time", "06:47", {}, "safe"],
  ["if it is overdue and couldn't", "06:49", {}, "too_late"],
  ["if nothing is scheduled", "06:00", { next_sync_at: null }, "no_attempt"],
  ["if a running sync ends in time", "06:40", { ...RUNNING }, "safe"],
  ["if a running sync takes longer than usual", "06:59", { ...RUNNING }, "safe"],
  ["for a webhook", "06:00", { status: "webhook", next_sync_at: null }, "not_yet"],
] as const)("is judged %s", (_, now, row, expected) => {
  expect(risk(now, row).code).toBe(expected);
});

test("isn't judged more than twelve hours before", () => {
  const open = { fromMs: at("00:00"), dueMs: at("23:00"), limitMs: at("23:00") };
  const row = { next_sync_at: null };
  expect(risk("10:59", row, open).code).toBe("not_yet");
  expect(risk("11:00", row, open).code).toBe("no_attempt");
});

test("counts the allowance", () => {
  const row = { next_sync_at: text("06:55") };
  expect(isAtRisk(risk("06:00", row))).toBe(true);
  expect(isAtRisk(risk("06:00", row, { limitMs: at("07:30") }))).toBe(false);
});

test("falls back to the last duration, and else can't tell", () => {
  expect(risk("06:00", {}, {}, NOTHING_KNOWN)).toEqual({
    code: "safe",
    attemptMs: at("06:40"),
    usualMs: 60_000,
    endsMs: at("06:41"),
  });
  const unknown = risk("06:00", { last_sync_duration_seconds: null }, {}, NOTHING_KNOWN);
  expect(unknown).toEqual({ code: "cannot_tell", attemptMs: at("06:40") });
  expect(isAtRisk(unknown)).toBe(false);
});

test("counts kept days of those that were met or missed", () => {
  expect(keptPercentage({ met: 16, missed: 1 })).toBeCloseTo(94.12);
  expect(keptPercentage({ met: 0, missed: 0 })).toBeNull();
  expect(isBelowTarget({ met: 16, missed: 1 }, 95)).toBe(true);
  expect(isBelowTarget({ met: 19, missed: 1 }, 95)).toBe(false);
  expect(isBelowTarget({ met: 0, missed: 0 }, 95)).toBeNull();
  expect(isBelowTarget({ met: 1, missed: 0 }, null)).toBeNull();
});
