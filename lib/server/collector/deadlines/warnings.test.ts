import { expect, test } from "vitest";
import { deadlineDays, windowFromMs, type DeadlineDay } from "@/lib/domain/deadlines/calendar";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { rehearsedWarningMs, type PastRun } from "@/lib/domain/deadlines/rehearsed-warning";
import { isAtRisk, riskOf } from "@/lib/domain/deadlines/risk";
import { NOTHING_KNOWN, typicalDurationSeconds } from "@/lib/domain/known";
import { instantMs } from "@/lib/domain/time/instant";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { pastRows, type PastRow } from "@/lib/v3-service/simulator/past-rows";
import { createWorld } from "@/lib/v3-service/simulator/world";

const NOW_MS = Date.parse("2026-11-26T12:00:00Z");
const DAYS = 40;
const AHEAD_MS = 15 * MINUTE_MS;
/** Runs that the usual duration is taken from, as by the record. */
const RECENT_RUNS = 100;

type Warned = {
  isMet: boolean;
  aheadMs: number | null;
  hasMoved: boolean;
  /** What a rehearsal says of the same day from its runs: how long ahead; null: no warning, or not known. */
  rehearsedMs: number | null;
};

const isAhead = (ms: number | null) => ms !== null && ms >= AHEAD_MS;

/** What a check each minute would have shown until a day is met or due; null: the endpoint wasn't listed. */
function watch(rows: readonly PastRow[], day: DeadlineDay, cadenceMs: number): Warned | null {
  const fromMs = windowFromMs(day, { status: "active", cadenceMs });
  const open = { fromMs, dueMs: day.dueMs, limitMs: day.limitMs };
  const durations = rows.flatMap(({ atMs, row }) => {
    const { last_sync_status: status, last_sync_duration_seconds: seconds } = row?.attributes ?? {};
    return atMs <= fromMs && status === "completed" ? (seconds ?? []) : [];
  });
  const typical_duration_seconds = typicalDurationSeconds(durations.slice(-RECENT_RUNS));
  const known = { ...NOTHING_KNOWN, typical_duration_seconds };
  let at = rows.findLastIndex(({ atMs }) => atMs <= fromMs);
  const runs = runsOf(rows, fromMs, day.limitMs);
  const rehearsedAhead = (overMs: number) => {
    const usualMs = typical_duration_seconds === null ? null : typical_duration_seconds * 1_000;
    const attempts = { status: "active", cadenceMs, usualMs, runs, gaps: [] };
    const ms = rehearsedWarningMs(open, overMs, attempts);
    return ms === null || ms === undefined ? null : day.dueMs - ms;
  };
  let warned: { ms: number; nextSyncAt: string | null } | null = null;
  let isListed = false;
  for (let ms = fromMs; ms <= day.limitMs; ms += MINUTE_MS) {
    while ((rows[at + 1]?.atMs ?? Infinity) <= ms) at += 1;
    const row = rows[at]?.row?.attributes;
    if (row === undefined) continue;
    isListed = true;
    const nextSyncAt = row.next_sync_at;
    const aheadMs = warned === null ? null : day.dueMs - warned.ms;
    const hasMoved = warned?.nextSyncAt !== nextSyncAt;
    const landedMs = instantMs(row.last_updated_at) ?? -Infinity;
    if (fromMs <= landedMs && landedMs <= day.limitMs) {
      return { isMet: true, aheadMs, hasMoved, rehearsedMs: rehearsedAhead(landedMs) };
    }
    if (ms < day.dueMs && isAtRisk(riskOf(row, known, open, ms))) warned ??= { ms, nextSyncAt };
  }
  const aheadMs = warned === null ? null : day.dueMs - warned.ms;
  const rehearsedMs = rehearsedAhead(Infinity);
  return isListed ? { isMet: false, aheadMs, hasMoved: false, rehearsedMs } : null;
}

/** The runs that rows show: the last one that started before a period, and those in it. */
function runsOf(rows: readonly PastRow[], fromMs: number, untilMs: number): PastRun[] {
  const byStart = new Map<number, PastRun>();
  for (const { atMs, row } of rows) {
    if (atMs > untilMs) break;
    const startedMs = instantMs(row?.attributes.last_sync_started_at ?? null);
    const finishedMs = instantMs(row?.attributes.last_sync_finished_at ?? null);
    if (startedMs !== null) byStart.set(startedMs, { startedMs, finishedMs });
  }
  const runs = [...byStart.values()].toSorted((a, b) => a.startedMs - b.startedMs);
  return runs.slice(
    Math.max(
      0,
      runs.findLastIndex(({ startedMs }) => startedMs <= fromMs),
    ),
  );
}

/** Days of each feed of a simulated history that has a schedule. */
function watchAll(seed: number, given: DeadlineRule, count: number): Warned[][] {
  const world = createWorld({ seed, epochMs: NOW_MS });
  return world.companies
    .flatMap(({ endpoints }) => endpoints)
    .flatMap((endpoint) => {
      const { status, frequencyMinutes, everyMinutes } = endpoint;
      if (status !== "active" || frequencyMinutes === null || everyMinutes === 0) return [];
      const within = { fromMs: NOW_MS - count * DAY_MS, untilMs: NOW_MS };
      const rows = [...pastRows(world, endpoint, within.fromMs - 5 * DAY_MS, NOW_MS)];
      const days = deadlineDays(given, within);
      return [days.flatMap((day) => watch(rows, day, frequencyMinutes * MINUTE_MS) ?? [])];
    });
}

test.for([1, 2, 3])(
  "warns of most misses in time, and of almost nothing else, in history %i",
  { timeout: 60_000 },
  (seed) => {
    let [missed, ahead, same] = [0, 0, 0];
    const falseOf: number[] = [];
    for (const days of watchAll(seed, rule(), DAYS)) {
      const missedDays = days.filter(({ isMet }) => !isMet);
      missed += missedDays.length;
      ahead += missedDays.filter(({ aheadMs }) => isAhead(aheadMs)).length;
      same += missedDays.filter(
        ({ aheadMs, rehearsedMs }) => isAhead(aheadMs) === isAhead(rehearsedMs),
      ).length;
      // Nothing helps a promise that the feed's own schedule contradicts.
      if (missedDays.length < days.length / 2)
        falseOf.push(
          days.filter(({ isMet, aheadMs, hasMoved }) => isMet && aheadMs !== null && !hasMoved)
            .length,
        );
    }
    expect(missed).toBeGreaterThan(100);
    expect(ahead / missed).toBeGreaterThan(0.8);
    expect(same / missed).toBeGreaterThan(0.95);
    expect(Math.max(...falseOf)).toBeLessThanOrEqual(Math.ceil(DAYS / 30));
    expect(falseOf.length).toBeGreaterThan(40);
  },
);

test(
  "rehearses no warning after the promised time, as no check shows one",
  { timeout: 60_000 },
  () => {
    const days = watchAll(1, rule({ allowanceMinutes: 60 }), DAYS / 2).flat();
    const missedDays = days.filter(({ isMet }) => !isMet);
    expect(missedDays.length).toBeGreaterThan(20);
    expect(days.filter(({ rehearsedMs }) => rehearsedMs !== null && rehearsedMs <= 0)).toEqual([]);
    const same = missedDays.filter(
      ({ aheadMs, rehearsedMs }) => isAhead(aheadMs) === isAhead(rehearsedMs),
    );
    expect(same.length / missedDays.length).toBeGreaterThan(0.95);
  },
);
