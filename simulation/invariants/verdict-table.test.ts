import fc from "fast-check";
import { expect, test } from "vitest";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { anyWeek } from "@/lib/domain/learned-week/week-fixture";
import { NOW_MS, minutesAgo, row as anyRow } from "@/lib/domain/row-fixture";
import { verdict } from "@/lib/domain/verdict";
import { restsAround } from "./learned-week/rests";
import { judgeByTable, type Facts } from "./verdict-table";

const ago = fc.option(fc.integer({ min: -60, max: 600 }).map(minutesAgo));
const outcome = fc.constantFrom(
  "completed",
  "failed",
  "timed_out",
  "in_progress",
  "rate_limited",
  "reticulating",
  null,
);

const endpoint = fc.record({
  status: fc.constantFrom("active", "active", "active", "inactive", "webhook", "odd"),
  last_updated_at: ago,
  next_sync_at: ago,
  last_sync_status: outcome,
  last_sync_started_at: ago,
  last_sync_finished_at: ago,
  last_sync_duration_seconds: fc.option(fc.integer({ min: 0, max: 9_000 })),
  frequency_minutes: fc.option(fc.constantFrom(0, 1, 15, 60, 240, 1440)),
});
const known = fc.record({
  usualSeconds: fc.option(fc.integer({ min: 0, max: 9_000 })),
  failures: fc.integer({ min: 0, max: 3 }),
  failedMinutesAgo: fc.option(fc.integer({ min: 0, max: 600 })),
  last: fc.option(
    fc.record({
      status: fc.constantFrom("completed", "failed", "timed_out"),
      endedMinutesAgo: fc.option(fc.integer({ min: 0, max: 600 })),
    }),
  ),
  learnedMinutes: fc.option(fc.constantFrom(1, 60, 240)),
  isListed: fc.boolean(),
});

test("the table and the domain's rule give every endpoint the same word, since the same instant", () => {
  fc.assert(
    fc.property(
      endpoint,
      known,
      fc.option(anyWeek),
      (given, { failedMinutesAgo, last, ...more }, week) => {
        const row = anyRow(given);
        const ms = (minutes: number | null) =>
          minutes === null ? null : NOW_MS - minutes * 60_000;
        const failingSinceMs = ms(failedMinutesAgo);
        const endedMs = ms(last?.endedMinutesAgo ?? null);
        const facts: Facts = {
          ...more,
          failingSinceMs,
          rests: restsAround(week, NOW_MS),
          last: last === null ? null : { status: last.status, startedMs: 0, endedMs },
        };
        const judgement = verdict(
          row,
          {
            ...NOTHING_KNOWN,
            typical_duration_seconds: more.usualSeconds,
            failures_in_a_row: more.failures,
            last_finished_status: last?.status ?? null,
            last_finished_at: endedMs === null ? null : new Date(endedMs).toISOString(),
            learned_frequency_minutes: more.learnedMinutes,
            learned_week: week,
            reported: more.isListed,
          },
          NOW_MS,
        );
        expect(judgeByTable(row as Parameters<typeof judgeByTable>[0], facts, NOW_MS)).toEqual({
          word: judgement.word,
          beganMs: troubleBeganMs(judgement, failingSinceMs, NOW_MS),
        });
      },
    ),
    { numRuns: 5_000 },
  );
});
