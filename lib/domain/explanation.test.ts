import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain } from "./explanation";
import type { Known, SyncAttributes } from "./sync";
import { verdict } from "./verdict";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const WHEN = { nowMs: NOW_MS, timeZone: "Europe/Oslo" };
const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();

const ROW: SyncAttributes = {
  endpoint_key: "daily_logs",
  partner_name: "Procore",
  status: "active",
  last_updated_at: at(-130),
  next_sync_at: at(13),
  last_sync_status: "completed",
  last_sync_started_at: at(-131),
  last_sync_finished_at: at(-130),
  last_sync_duration_seconds: 0,
  frequency_minutes: 60,
  api_calls_last_24h: 212,
};
const KNOWN: Known = {
  typical_duration_seconds: 0,
  failures_in_a_row: 0,
  last_finished_status: "completed",
  last_finished_at: at(-130),
  learned_frequency_minutes: null,
  reported: true,
};

function explained(row: Partial<SyncAttributes> = {}, known: Partial<Known> = {}) {
  const attributes = { ...ROW, ...row };
  const facts = { ...KNOWN, ...known };
  return explain(attributes, facts, verdict(attributes, facts, NOW_MS), WHEN);
}
const sums = (row?: Partial<SyncAttributes>, known?: Partial<Known>) =>
  explained(row, known).sums.map(({ label, value, note }) => [label, value, note]);
const rules = (row?: Partial<SyncAttributes>, known?: Partial<Known>) =>
  explained(row, known).rules.map(
    ({ word, text, decided }) => `${decided ? "*" : ""}${word}: ${text}`,
  );

describe("the arithmetic", () => {
  test("stands there term by term, with the values that were used", () => {
    expect(sums()).toEqual([
      ["now", "14:32:07", "the API's clock"],
      ["last_updated_at", "− 12:22:07", "partner data"],
      ["data age", "2 h 10 m", ""],
      ["frequency_minutes", "− 1 h 00 m", "60"],
      ["late by its data", "1 h 10 m", ""],
      ["next_sync_at", "14:45:07", "ahead: a plan proves nothing"],
      ["late by its plan", "− 13 m", ""],
      ["overdue", "1 h 10 m", "since 13:22"],
      ["allowance", "15 m", ""],
    ]);
  });

  test("says where the cadence is from, and why a plan does not count", () => {
    expect(sums({ frequency_minutes: null }, { learned_frequency_minutes: 45 })).toContainEqual([
      "frequency_minutes",
      "− 45 m",
      "learned, 45 min",
    ]);
    expect(sums({ next_sync_at: at(-140) })).toContainEqual([
      "next_sync_at",
      "12:12:07",
      "does not count: data landed since",
    ]);
    const running = {
      last_sync_status: "in_progress",
      next_sync_at: at(-5),
      last_sync_started_at: at(-4),
    };
    expect(sums(running)).toContainEqual([
      "next_sync_at",
      "14:27:07",
      "does not count: a run is under way",
    ]);
    expect(sums(running)).toContainEqual(["run under way", "4 m", "stuck after 1 h"]);
  });

  test("a usual run is part of the allowance", () => {
    expect(sums({}, { typical_duration_seconds: 120 })).toContainEqual([
      "allowance",
      "17 m",
      "15 m + 2 m 00 s, a usual run",
    ]);
  });

  test("a webhook has no cadence to count with", () => {
    expect(sums({ status: "webhook" }).map(([label]) => label)).toEqual([
      "now",
      "last_updated_at",
      "data age",
    ]);
  });
});

describe("the rules", () => {
  test("late, and what it would take for worse", () => {
    expect(rules()).toEqual([
      "failing: needs two failed runs in a row, or one with overdue data; none stands",
      "stale: needs an age of 2 h 15 m; without new data, at 14:37",
      "*late: 1 h 10 m overdue is more than the 15 m allowance",
    ]);
  });

  test.each<[string, Partial<SyncAttributes>, string]>([
    [
      "fresh",
      { last_updated_at: at(-9) },
      "*fresh: the data is younger than its cadence; due in 13 m",
    ],
    ["due", { last_updated_at: at(-66) }, "*due: 6 m past its time and within the 15 m allowance"],
    ["stale", { last_updated_at: at(-600) }, "*stale: 9 h 00 m overdue is more than 1 h 15 m"],
    ["paused", { status: "inactive" }, "*paused: inactive at the source"],
    ["webhook", { status: "webhook" }, "*webhook: no cadence"],
  ])("%s", (_, row, rule) => {
    expect(rules(row).at(-1)).toBe(rule);
  });

  test("exactly one rule decided, and it is the word's, for every endpoint", () => {
    const instant = fc.option(fc.integer({ min: -5000, max: 60 }).map(at));
    const row = fc.record({
      status: fc.constantFrom("active", "inactive", "webhook", "odd"),
      last_updated_at: instant,
      next_sync_at: instant,
      last_sync_status: fc.constantFrom("completed", "failed", "in_progress", "rate_limited", null),
      last_sync_started_at: instant,
      last_sync_finished_at: instant,
      frequency_minutes: fc.option(fc.integer({ min: 0, max: 3000 })),
    });
    fc.assert(
      fc.property(row, fc.nat(3), fc.boolean(), (change, failures_in_a_row, reported) => {
        const attributes = { ...ROW, ...change };
        const known = { ...KNOWN, failures_in_a_row, reported };
        const judgement = verdict(attributes, known, NOW_MS);
        const { rules: told, sums: summed } = explain(attributes, known, judgement, WHEN);
        expect(told.filter(({ decided }) => decided).map(({ word }) => word)).toEqual([
          judgement.word,
        ]);
        expect(new Set(summed.map(({ key }) => key)).size).toBe(summed.length);
        expect(JSON.stringify([told, summed])).not.toMatch(/NaN|undefined/);
      }),
    );
  });
});
