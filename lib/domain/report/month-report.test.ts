import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_TIME, OVERDUE_VERDICTS } from "./day-times";
import {
  daysOfMonth,
  isLastMonthReady,
  monthAfter,
  monthReport,
  type EndpointDay,
  type EndpointMonth,
} from "./month-report";
import { completed } from "@/lib/domain/steps";
import { HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

function day(changes: Partial<EndpointDay> = {}): EndpointDay {
  return {
    ...NO_TIME,
    worst: null,
    overdue: { leadMs: 0, longestMs: 0, tailMs: 0 },
    completed: 0,
    failed: 0,
    timedOut: 0,
    rateLimited: 0,
    ...changes,
  };
}

const onTime = (changes: Partial<EndpointDay> = {}) => day({ onTimeMs: DAY_MS, ...changes });

function overdue(lead: number, longest: number, tail: number, more: Partial<EndpointDay> = {}) {
  const overdueMs =
    (lead === 24 ? 24 : lead + tail + (longest > Math.max(lead, tail) ? longest : 0)) * HOUR_MS;
  return day({
    onTimeMs: DAY_MS - overdueMs,
    overdueMs,
    worst: "late",
    overdue: { leadMs: lead * HOUR_MS, longestMs: longest * HOUR_MS, tailMs: tail * HOUR_MS },
    ...more,
  });
}

function endpoint(
  id: string,
  days: (EndpointDay | null)[],
  partnerName = "Procore",
): EndpointMonth {
  return { id, endpointKey: `${id} key`, partnerName, days };
}

/** In one go. */
const reportOf = (endpoints: readonly EndpointMonth[]) => completed(monthReport(endpoints));

describe("monthReport", () => {
  test("adds up a partner's endpoints, most overdue first", () => {
    const report = reportOf([
      endpoint("a", [onTime(), onTime()]),
      endpoint("b", [onTime(), overdue(0, 12, 0)]),
      endpoint("c", [overdue(0, 24, 0, { onTimeMs: 0, overdueMs: DAY_MS }), null], "Sage 300"),
    ]);
    expect(report.partners.map(({ partnerName, shares }) => [partnerName, shares])).toEqual([
      ["Sage 300", [0, 100, 0, 0]],
      ["Procore", [87.5, 12.5, 0, 0]],
    ]);
    expect(report.partners[1]?.endpoints.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(report.partners[1]?.days).toEqual([
      [0, 0, 0, null],
      [25, 0, 0, "late"],
    ]);
    expect(report.partners[0]?.days[1]).toBeNull();
    expect(report.total).toEqual([70, 30, 0, 0]);
  });

  test("continues the longest overdue time over midnight and whole days, with its first and last day", () => {
    const days = [
      overdue(0, 3, 1),
      overdue(0, 2, 2, { timedOut: 3, failed: 1 }),
      overdue(24, 24, 24),
      overdue(5, 6, 0),
    ];
    const [partner] = reportOf([endpoint("a", days)]).partners;
    expect(partner?.longest).toEqual({
      ms: 31 * HOUR_MS,
      fromDay: 1,
      lastDay: 3,
      cause: "timed_out",
    });
  });

  test("ends it on a day on which the endpoint was absent", () => {
    const days = [overdue(0, 2, 2), null, overdue(3, 3, 0)];
    const [partner] = reportOf([endpoint("a", days)]).partners;
    expect(partner?.longest).toMatchObject({
      ms: 3 * HOUR_MS,
      fromDay: 2,
      lastDay: 2,
      cause: null,
    });
  });

  test("excludes unchecked time from the share of checked time that was on time", () => {
    const half = day({
      onTimeMs: 9 * HOUR_MS,
      overdueMs: 3 * HOUR_MS,
      notObservedMs: 12 * HOUR_MS,
    });
    const blind = day({ notObservedMs: DAY_MS });
    const report = reportOf([endpoint("a", [half]), endpoint("b", [blind], "Sage 300")]);
    expect(
      report.partners.map(({ partnerName, onTimeOfChecked, overdueOfChecked }) => [
        partnerName,
        onTimeOfChecked,
        overdueOfChecked,
      ]),
    ).toEqual([
      ["Procore", 75, 25],
      ["Sage 300", null, null],
    ]);
    expect(report.onTimeOfChecked).toBe(75);
    expect(report.total).toEqual([18.8, 6.2, 0, 75]);
  });

  test("lists webhooks and paused endpoints separately, even after a gap", () => {
    const webhook = day({ webhookMs: 20 * HOUR_MS, notObservedMs: 4 * HOUR_MS });
    const paused = day({ pausedMs: DAY_MS });
    const mixed = day({ pausedMs: 12 * HOUR_MS, onTimeMs: 9 * HOUR_MS, overdueMs: 3 * HOUR_MS });
    const report = reportOf([
      endpoint("w", [webhook]),
      endpoint("p", [paused]),
      endpoint("m", [mixed], "Sage 300"),
    ]);
    expect(report.apart.map(({ id, kind }) => [id, kind])).toEqual([
      ["w", "webhook"],
      ["p", "paused"],
    ]);
    expect(report.partners.map(({ shares }) => shares)).toEqual([[75, 25, 0, 0]]);
  });

  test("has no shares if nothing was counted", () => {
    expect(reportOf([])).toEqual({
      total: null,
      onTimeOfChecked: null,
      partners: [],
      apart: [],
    });
    expect(reportOf([endpoint("a", [null, null])]).partners).toEqual([]);
  });
});

test("sums all shares to exactly 100.0 in 1,000 random months", () => {
  const ms = fc.oneof(fc.constantFrom(0, 1, DAY_MS), fc.integer({ min: 0, max: DAY_MS }));
  const anyDay = fc
    .record({
      onTimeMs: ms,
      overdueMs: ms,
      plannedQuietMs: ms,
      notObservedMs: ms,
      webhookMs: fc.constantFrom(0, 0, DAY_MS),
      pausedMs: fc.constantFrom(0, 0, DAY_MS),
      worst: fc.constantFrom(...OVERDUE_VERDICTS, null),
    })
    .map(day);
  const anyMonth = fc.uniqueArray(
    fc.record({
      id: fc.string(),
      endpointKey: fc.string(),
      partnerName: fc.constantFrom("A", "B", "__proto__", "a/b"),
      days: fc.array(fc.option(anyDay), { minLength: 28, maxLength: 31 }),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  );
  const tenths = (shares: readonly number[]) =>
    shares.every((share) => share >= 0 && share === Math.round(share * 10) / 10)
      ? shares.reduce((sum, share) => sum + Math.round(share * 10), 0)
      : null;
  fc.assert(
    fc.property(anyMonth, (endpoints) => {
      const report = reportOf(endpoints);
      const listed = report.partners.flatMap((partner) => [partner, ...partner.endpoints]);
      for (const { shares } of listed) expect(tenths(shares)).toBe(1000);
      if (report.total !== null) expect(tenths(report.total)).toBe(1000);
      expect(
        report.apart.length + report.partners.flatMap((partner) => partner.endpoints).length,
      ).toBeLessThanOrEqual(endpoints.length);
    }),
    { numRuns: 1000 },
  );
});

test("accepts months of four and two digits from 1970 to 8999, and lists their days", () => {
  expect(daysOfMonth("2026-10")).toHaveLength(31);
  expect(daysOfMonth("2028-02")?.at(-1)).toBe("2028-02-29");
  for (const bad of [
    "",
    "2026",
    "2026-13",
    "2026-00",
    "2026-1",
    "1969-12",
    "9999-12",
    "2026-10-01",
    "26-10",
    "٢٠٢٦-10",
  ])
    expect(daysOfMonth(bad)).toBeNull();
  expect(monthAfter("2026-01", -1)).toBe("2025-12");
  expect(monthAfter("2026-12", 1)).toBe("2027-01");
});

test.each([
  [true, "2026-10-26", "2026-11-26", true],
  [false, "2026-10-01", "2026-11-01", true],
  [false, "2026-08-14", "2026-11-02", true],
  [false, "2026-08-14", "2026-11-03", false],
  [false, "2026-10-02", "2026-11-01", false],
  [false, "2026-11-03", "2026-11-26", false],
  [false, null, "2026-11-01", false],
  [false, "2025-12-01", "2026-01-01", true],
])(
  "last month, closed: %s, on record from %s, on %s, is ready: %s",
  (closed, recordedFrom, today, isReady) => {
    expect(isLastMonthReady({ closed, recordedFrom, today })).toBe(isReady);
  },
);
