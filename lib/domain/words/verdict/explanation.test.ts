import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain } from "./explanation";
import type { EndpointFacts, SyncAttributes } from "@/lib/domain/sync";
import { verdict } from "@/lib/domain/verdict";

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
const KNOWN: EndpointFacts = {
  typical_duration_seconds: 0,
  failures_in_a_row: 0,
  last_finished_status: "completed",
  last_finished_at: at(-130),
  learned_frequency_minutes: null,
  reported: true,
};

function explained(row: Partial<SyncAttributes> = {}, known: Partial<EndpointFacts> = {}) {
  const attributes = { ...ROW, ...row };
  const facts = { ...KNOWN, ...known };
  return explain(attributes, facts, verdict(attributes, facts, NOW_MS), WHEN);
}
const sums = (row?: Partial<SyncAttributes>, known?: Partial<EndpointFacts>) =>
  explained(row, known).sums.map(({ label, value, note }) => [label, value, note]);
const rules = (row?: Partial<SyncAttributes>, known?: Partial<EndpointFacts>) =>
  explained(row, known).rules.map(
    ({ word, text, decided }) => `${decided ? "*" : ""}${word}: ${text}`,
  );

describe("the arithmetic", () => {
  test("lists each term with the values used", () => {
    expect(sums()).toEqual([
      ["now", "14:32:07", "source’s clock"],
      ["last_updated_at", "− 12:22:07", "data received"],
      ["data age", "2 h 10 m", ""],
      ["frequency_minutes", "− 1 h 00 m", "60"],
      ["overdue by data", "1 h 10 m", ""],
      ["next_sync_at", "14:45:07", "scheduled, not proof of data"],
      ["overdue by schedule", "− 13 m", ""],
      ["overdue", "1 h 10 m", "since 13:22"],
      ["allowance", "15 m", ""],
    ]);
  });

  test("flags data that is dated in the future", () => {
    expect(sums({ last_updated_at: at(5) }).slice(1, 3)).toEqual([
      ["last_updated_at", "− 14:37:07", "clock suspect: its data is dated 5 m in the future"],
      ["data age", "0 s", ""],
    ]);
  });

  test("doesn't tell from a schedule alone that nothing is overdue", () => {
    expect(sums({ last_updated_at: null }).slice(4)).toEqual([
      ["overdue by data", "not known", ""],
      ["next_sync_at", "14:45:07", "scheduled, not proof of data"],
      ["overdue", "not known", ""],
      ["allowance", "15 m", ""],
    ]);
  });

  test("says where the cadence comes from, and why a scheduled sync doesn't count", () => {
    expect(sums({ frequency_minutes: null }, { learned_frequency_minutes: 45 })).toContainEqual([
      "frequency_minutes",
      "− 45 m",
      "learned, 45 min",
    ]);
    expect(sums({ next_sync_at: at(-140) })).toContainEqual([
      "next_sync_at",
      "12:12:07",
      "doesn’t count: data received since",
    ]);
    const running = {
      last_sync_status: "in_progress",
      next_sync_at: at(-5),
      last_sync_started_at: at(-4),
    };
    expect(sums(running)).toContainEqual([
      "next_sync_at",
      "14:27:07",
      "doesn’t count: a sync is running",
    ]);
    expect(sums(running)).toContainEqual(["running for", "4 m", "stuck after 1 h"]);
  });

  test("includes a usual run in the allowance", () => {
    expect(sums({}, { typical_duration_seconds: 120 })).toContainEqual([
      "allowance",
      "17 m",
      "15 m + 2 m 00 s, most runs finish within this",
    ]);
  });

  test("says what the run's part of the allowance is based on", () => {
    const noteOf = (row: Partial<SyncAttributes>, known: Partial<EndpointFacts>) =>
      sums(row, known).find(([label]) => label === "allowance")?.[2];
    expect(noteOf({ last_sync_duration_seconds: 120 }, { typical_duration_seconds: null })).toBe(
      "15 m + 2 m 00 s, as long as the last run",
    );
    expect(noteOf({}, { typical_duration_seconds: 9000 })).toBe(
      "15 m + 1 h 00 m, capped at one cadence",
    );
  });

  test("is frozen at the snapshot while blind, however late the data gets", () => {
    const judgement = verdict(ROW, KNOWN, NOW_MS);
    const linesAt = (minutes: number) => {
      const nowMs = NOW_MS + minutes * 60_000;
      return explain(ROW, KNOWN, judgement, { ...WHEN, nowMs, judgedMs: NOW_MS }).sums;
    };
    const noteAt = (minutes: number) => linesAt(minutes).find(({ key }) => key === "overdue")?.note;
    expect(noteAt(10)).toBe("since 13:22");
    expect(noteAt(300)).toBe("since 13:22");
    expect(noteAt(24 * 60)).toBe("since Thu 19 Nov, 13:22");
    expect(linesAt(10)[0]).toMatchObject({ label: "last check", value: "14:32:07" });
  });

  test("has no cadence for a webhook", () => {
    expect(sums({ status: "webhook" }).map(([label]) => label)).toEqual([
      "now",
      "last_updated_at",
      "data age",
    ]);
  });
});

describe("the rules", () => {
  test("show late, and what would make it worse", () => {
    expect(rules()).toEqual([
      "failing: two failed runs in a row, or one with overdue data; none so far",
      "stale: if nothing arrives by 14:37 (2 h 15 m old)",
      "*late: 1 h 10 m overdue is more than the 15 m allowance",
    ]);
  });

  test.each<[string, Partial<SyncAttributes>, string]>([
    ["fresh", { last_updated_at: at(-9) }, "*fresh: within schedule until 14:45"],
    ["due", { last_updated_at: at(-66) }, "*due: 6 m overdue, within the 15 m allowance"],
    ["stale", { last_updated_at: at(-600) }, "*stale: 9 h 00 m overdue is more than 1 h 15 m"],
    ["paused", { status: "inactive" }, "*paused: inactive at the source"],
    ["webhook", { status: "webhook" }, "*webhook: no fixed schedule"],
  ])("match: %s", (_, row, rule) => {
    expect(rules(row).at(-1)).toBe(rule);
  });

  test("include exactly one that decided, with the endpoint's verdict, for every endpoint", () => {
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
        const { rules: ruleLines, sums: summed } = explain(attributes, known, judgement, WHEN);
        expect(ruleLines.filter(({ decided }) => decided).map(({ word }) => word)).toEqual([
          judgement.word,
        ]);
        expect(new Set(summed.map(({ key }) => key)).size).toBe(summed.length);
        expect(JSON.stringify([ruleLines, summed])).not.toMatch(/NaN|undefined/);
      }),
    );
  });
});
