import * as fc from "fast-check";
import { expect, test } from "vitest";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { agedRow, minutesAgo, NOW_MS, row } from "@/lib/domain/row-fixture";
import { RUN_OUTCOMES } from "@/lib/domain/sync";
import { anyWeek } from "@/lib/domain/learned-week/week-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import { nextTurnMs } from "./next-turn";

const turnOf = (one: ReturnType<typeof row>, atMs = NOW_MS) =>
  nextTurnMs(one, one.known, verdict(one, one.known, atMs), atMs);

test("names the first millisecond of each verdict of an hourly feed", () => {
  const aged = agedRow(20);
  const words: [number, string][] = [];
  let atMs = NOW_MS;
  while (Number.isFinite(atMs)) {
    const { word } = verdict(aged, aged.known, atMs);
    if (words.at(-1)?.[1] !== word) words.push([(atMs - NOW_MS) / MINUTE_MS, word]);
    atMs = turnOf(aged, atMs);
  }
  const after = 1 / MINUTE_MS;
  expect(words).toEqual([
    [0, "fresh"],
    [40, "due"],
    [55 + after, "late"],
    [115 + after, "stale"],
  ]);
});

test("has no turn for paused and unreported feeds", () => {
  expect(turnOf(row({ status: "inactive" }))).toBe(Infinity);
  expect(turnOf(row({ known: { ...NOTHING_KNOWN, reported: false } }))).toBe(Infinity);
});

test("turns when a run becomes stuck", () => {
  const running = row({
    last_updated_at: minutesAgo(1),
    last_sync_status: "in_progress",
    last_sync_started_at: minutesAgo(10),
    last_sync_finished_at: null,
    frequency_minutes: 1440,
    next_sync_at: null,
    known: { ...NOTHING_KNOWN, typical_duration_seconds: 60 },
  });
  const turnMs = turnOf(running);
  expect(turnMs).toBe(NOW_MS - 10 * MINUTE_MS + 1440 * MINUTE_MS + 1);
  expect(verdict(running, running.known, turnMs).word).toBe("failing");
});

test("turns when its quiet time ends if that begins just when its allowance is over", () => {
  const resting = row({
    last_updated_at: "2026-11-18T10:35:00Z",
    next_sync_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: 5,
    known: {
      ...NOTHING_KNOWN,
      learned_week: {
        time_zone: "Pacific/Auckland",
        spans: [{ from: "wed 23:43", until: "fri 02:33" }],
        since: "2026-11-01T00:00:00Z",
      },
    },
  });
  const turnMs = turnOf(resting);
  expect(new Date(turnMs).toISOString()).toBe("2026-11-19T13:33:00.001Z");
  expect(verdict(resting, resting.known, turnMs - 1).word).toBe("due");
  expect(verdict(resting, resting.known, turnMs).word).toBe("late");
});

test("keeps the verdict and the due time until the turn", () => {
  const minutes = fc.double({ min: -3000, max: 40, noNaN: true });
  const instant = fc.option(
    minutes.map((ago) => new Date(NOW_MS + Math.round(ago * MINUTE_MS)).toISOString()),
    { freq: 6 },
  );
  const anyRow = fc.record({
    last_updated_at: instant,
    next_sync_at: instant,
    last_sync_started_at: instant,
    last_sync_finished_at: instant,
    status: fc.constantFrom("active", "active", "active", "webhook", "inactive", "odd"),
    last_sync_status: fc.option(fc.constantFrom(...RUN_OUTCOMES)),
    frequency_minutes: fc.option(fc.constantFrom(0, 1, 5, 60, 240, 1440, 7.3)),
    last_sync_duration_seconds: fc.option(fc.constantFrom(0, 30, 1234.567, 50_000)),
    known: fc.record({
      typical_duration_seconds: fc.option(fc.constantFrom(0, 12.3456, 600)),
      failures_in_a_row: fc.nat({ max: 3 }),
      last_finished_status: fc.option(fc.constantFrom("completed", "failed", "timed_out")),
      last_finished_at: instant,
      learned_frequency_minutes: fc.option(fc.constantFrom(5, 61)),
      learned_week: fc.option(anyWeek, { freq: 2 }),
      reported: fc.constantFrom(true, true, true, false),
    }),
  });
  fc.assert(
    fc.property(anyRow, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const one = row(given);
      const turnMs = Math.min(turnOf(one), NOW_MS + 3 * 1440 * MINUTE_MS);
      expect(turnMs).toBeGreaterThan(NOW_MS);
      const now = verdict(one, one.known, NOW_MS);
      for (const atMs of [turnMs - 1, NOW_MS + Math.floor(share * (turnMs - 1 - NOW_MS))]) {
        const later = verdict(one, one.known, atMs);
        expect(later.word).toBe(now.word);
        expect(Math.sign(later.terms.latenessMs ?? -1)).toBe(Math.sign(now.terms.latenessMs ?? -1));
      }
    }),
    { numRuns: 2000 },
  );
});
