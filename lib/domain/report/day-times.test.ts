import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Period } from "@/lib/domain/history";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { countedMs, dayTimes, type DayTimes, type SeenEndpoint } from "./day-times";
import { HOUR_MS } from "@/lib/domain/time/units";

const DAY: Period = { fromMs: 0, untilMs: 24 * HOUR_MS };

const hours = (fromMs: number, untilMs: number): Period => ({
  fromMs: fromMs * HOUR_MS,
  untilMs: untilMs * HOUR_MS,
});

function seen(
  before: Verdict | null,
  changes: readonly [atHour: number, Verdict | null][] = [],
  more: Partial<SeenEndpoint> = {},
): SeenEndpoint {
  return {
    before,
    changes: changes.map(([atHour, verdict]) => ({ atMs: atHour * HOUR_MS, verdict })),
    wasWebhook: false,
    unobserved: [],
    absent: [],
    quiet: [],
    ...more,
  };
}

/** In hours, without zeros. */
function shown({ overdue, worst, ...times }: DayTimes): Record<string, number | string> {
  const all = { ...times, ...overdue };
  const entries = Object.entries(all).filter(([, ms]) => ms > 0);
  return {
    ...Object.fromEntries(entries.map(([name, ms]) => [name, ms / HOUR_MS])),
    ...(worst !== null && { worst }),
  };
}

test("splits a day at each verdict change", () => {
  expect(
    shown(
      dayTimes(
        seen("fresh", [
          [6, "due"],
          [7, "late"],
          [9, "stale"],
          [10, "failing"],
          [11, "fresh"],
          [23, "late"],
        ]),
        DAY,
      ),
    ),
  ).toEqual({ onTimeMs: 19, overdueMs: 5, longestMs: 4, tailMs: 1, worst: "failing" });
});

test("counts the previous verdict from the start of the day, and ignores a change at its end", () => {
  const changes = [
    [-2, "late"],
    [4, "fresh"],
    [24, "failing"],
  ] as const;
  expect(
    shown(
      dayTimes(
        seen(
          "fresh",
          [...changes].map(([at, verdict]) => [at, verdict]),
        ),
        DAY,
      ),
    ),
  ).toEqual({
    onTimeMs: 20,
    overdueMs: 4,
    leadMs: 4,
    longestMs: 4,
    worst: "late",
  });
});

test("counts unknown and missing verdicts as not observed", () => {
  expect(
    shown(
      dayTimes(
        seen(null, [
          [3, "unknown"],
          [5, "fresh"],
        ]),
        DAY,
      ),
    ),
  ).toEqual({
    notObservedMs: 5,
    onTimeMs: 19,
  });
});

test("counts webhook and paused time separately, for a webhook also while it fails or is missing", () => {
  const webhook = seen("webhook", [
    [2, "failing"],
    [3, "unknown"],
    [4, "webhook"],
    [12, "paused"],
  ]);
  expect(shown(dayTimes(webhook, DAY))).toEqual({ webhookMs: 12, pausedMs: 12 });
  const wasWebhook = seen(
    "failing",
    [
      [6, "fresh"],
      [8, "failing"],
    ],
    { wasWebhook: true },
  );
  expect(shown(dayTimes(wasWebhook, DAY))).toEqual({
    webhookMs: 6,
    onTimeMs: 2,
    overdueMs: 16,
    longestMs: 16,
    tailMs: 16,
    worst: "failing",
  });
});

test("counts nothing while the endpoint was absent, even if observed", () => {
  const given = seen("fresh", [[20, null]], {
    absent: [hours(-100, 8), hours(20, 40)],
    unobserved: [hours(4, 10)],
  });
  expect(shown(dayTimes(given, DAY))).toEqual({ notObservedMs: 2, onTimeMs: 10 });
});

test("counts planned quiet time neither as on time nor as overdue, and as not observed in a gap", () => {
  const given = seen("late", [], { quiet: [hours(2, 8)], unobserved: [hours(6, 10)] });
  expect(shown(dayTimes(given, DAY))).toEqual({
    overdueMs: 16,
    plannedQuietMs: 4,
    notObservedMs: 4,
    leadMs: 2,
    longestMs: 14,
    tailMs: 14,
    worst: "late",
  });
});

describe("any day", () => {
  const atMs = fc.integer({ min: -5, max: 30 }).map((hour) => hour * HOUR_MS + 1);
  const period = fc.tuple(atMs, atMs).map(([a, b]) => ({
    fromMs: Math.min(a, b),
    untilMs: Math.max(a, b),
  }));
  const periods = fc.array(period, { maxLength: 4 });
  const verdict = fc.constantFrom(...VERDICTS, null);
  const anySeen: fc.Arbitrary<SeenEndpoint> = fc.record({
    before: verdict,
    changes: fc
      .uniqueArray(fc.record({ atMs, verdict }), {
        selector: (change) => change.atMs,
        maxLength: 9,
      })
      .map((changes) => changes.toSorted((a, b) => a.atMs - b.atMs)),
    wasWebhook: fc.boolean(),
    unobserved: periods,
    absent: periods,
    quiet: periods,
  });
  const runs = { numRuns: 1000 };

  test("is divided completely, and is the sum of its halves", () => {
    fc.assert(
      fc.property(anySeen, fc.integer({ min: 0, max: 24 }), (given, hour) => {
        const cutMs = hour * HOUR_MS;
        const whole = dayTimes({ ...given, absent: [] }, DAY);
        expect(countedMs(whole) + whole.webhookMs + whole.pausedMs).toBe(DAY.untilMs);
        const held = given.changes.findLast(({ atMs: at }) => at <= cutMs);
        // The start of the second half depends on what the webhook was before.
        fc.pre(!given.wasWebhook && !given.changes.some((change) => change.verdict === "webhook"));
        fc.pre(given.before !== "webhook");
        const all = dayTimes(given, DAY);
        const first = dayTimes(given, { ...DAY, untilMs: cutMs });
        const second = dayTimes(
          { ...given, before: held === undefined ? given.before : held.verdict },
          { ...DAY, fromMs: cutMs },
        );
        for (const name of ["onTimeMs", "overdueMs", "plannedQuietMs", "notObservedMs"] as const)
          expect(first[name] + second[name]).toBe(all[name]);
        expect(all.overdue.longestMs).toBe(
          Math.max(
            first.overdue.longestMs,
            second.overdue.longestMs,
            first.overdue.tailMs + second.overdue.leadMs,
          ),
        );
      }),
      runs,
    );
  });

  test("moves nine blind hours to not observed and changes nothing else", () => {
    fc.assert(
      fc.property(anySeen, fc.integer({ min: 0, max: 15 }), (given, hour) => {
        const blind = hours(hour, hour + 9);
        const withoutIt = dayTimes(given, DAY);
        const withIt = dayTimes({ ...given, unobserved: [...given.unobserved, blind] }, DAY);
        const hidden = dayTimes(
          {
            ...given,
            before:
              given.changes.findLast(({ atMs: at }) => at <= blind.fromMs)?.verdict ?? given.before,
          },
          blind,
        );
        fc.pre(!given.wasWebhook && given.before !== "webhook");
        fc.pre(
          !given.changes.some((change) => change.verdict === "webhook" || change.verdict === null),
        );
        for (const name of ["onTimeMs", "overdueMs", "plannedQuietMs", "pausedMs"] as const)
          expect(withoutIt[name] - withIt[name]).toBe(hidden[name]);
        const moved = hidden.onTimeMs + hidden.overdueMs + hidden.plannedQuietMs + hidden.pausedMs;
        expect(withIt.notObservedMs).toBe(withoutIt.notObservedMs + moved);
      }),
      runs,
    );
  });
});
