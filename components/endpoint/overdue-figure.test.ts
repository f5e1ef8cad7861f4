import { expect, test } from "vitest";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { verdict } from "@/lib/domain/verdict";
import { overdueFigure } from "./overdue-figure";

const WHEN = { judgedMs: NOW_MS, nowMs: NOW_MS, timeZone: "Europe/Oslo" };

function figure(given: Partial<SyncStatusRow>, when = WHEN) {
  const one = row(given);
  const judgement = verdict(one, one.known, NOW_MS);
  return overdueFigure({ row: one, word: judgement.word, judgement }, when);
}

test("shows by how much and since when something is overdue", () => {
  expect(figure({ last_updated_at: minutesAgo(130) })).toEqual({
    value: "1 h 10 m",
    note: "since 13:22",
    dueMs: NOW_MS - 70 * 60_000,
    isOverdue: true,
  });
});

test("shows until when something is on time", () => {
  expect(figure({})).toMatchObject({ value: "no", note: "due 14:45", isOverdue: false });
});

test.each<[string, Partial<SyncStatusRow>, string, string?]>([
  ["paused", { status: "inactive" }, "not scheduled"],
  ["sent by webhook", { status: "webhook" }, "event-driven"],
  ["unknown, without a cadence", { frequency_minutes: null }, "not known"],
  [
    "unknown, never synced",
    { last_updated_at: null, last_sync_status: null, last_sync_started_at: null },
    "not known",
  ],
  [
    "failing without a data time",
    { last_updated_at: null, next_sync_at: null, last_sync_status: "failed" },
    "not known",
    "no data time from the source",
  ],
])("doesn't call an endpoint on time when it is %s", (_, given, value, note = "") => {
  expect(figure(given)).toEqual({ value, note, dueMs: null, isOverdue: false });
});

test("stops once blind, and includes the date a day later", () => {
  const late = { last_updated_at: minutesAgo(130) };
  const at = (minutes: number) => figure(late, { ...WHEN, nowMs: NOW_MS + minutes * 60_000 }).note;
  expect(at(90)).toBe("since 13:22");
  expect(at(24 * 60)).toBe("since Thu 19 Nov, 13:22");
});
