import { describe, expect, test } from "vitest";
import type { ReportPartner, ReportView } from "@/lib/contracts/report";
import {
  calendarText,
  changeText,
  dayOrdinal,
  dayText,
  monthShort,
  partnerSentence,
  reportTitle,
  summaryText,
} from "./sentences";

function partner(changes: Partial<ReportPartner> = {}): ReportPartner {
  return {
    partner_name: "Procore",
    on_time: 97.2,
    overdue: 2.4,
    planned_quiet: 0,
    not_observed: 0.4,
    incidents: null,
    longest_overdue_seconds: 22_200,
    longest_overdue_day: "2026-10-14",
    longest_overdue_cause: "rate_limited",
    runs: { completed: 1, failed: 0, timed_out: 0, rate_limited: 0 },
    days: [],
    endpoints: [],
    ...changes,
  };
}

const NEVER = {
  on_time: 100,
  overdue: 0,
  not_observed: 0,
  longest_overdue_seconds: 0,
  longest_overdue_day: null,
  longest_overdue_cause: null,
};

function report(changes: Partial<ReportView> = {}): ReportView {
  return {
    month: "2026-10",
    time_zone: "UTC",
    closed: true,
    closed_on: "2026-11-01",
    endpoint_count: 1,
    observed: 99.6,
    recorded_from: "2026-09-01",
    total: { on_time: 97.4, overdue: 1.2, planned_quiet: 0.4, not_observed: 1 },
    partners: [partner()],
    apart: [],
    ...changes,
  };
}

describe("what can be read aloud", () => {
  test("of a partner", () => {
    expect(partnerSentence(partner(), report())).toBe(
      "Procore was on time 97.2% of October; overdue most on the 14th, 6 h 10 m, rate limited; we didn’t observe 0.4%.",
    );
    expect(
      partnerSentence(partner({ ...NEVER, planned_quiet: 2 }), report({ closed: false })),
    ).toBe("Procore was on time 100.0% of October so far; never overdue; planned quiet 2.0%.");
  });

  test("of a month", () => {
    const others = ["Aconex", "CMiC", "Fieldwire", "Sage 300", "Vista"].map((partner_name) =>
      partner({ partner_name, ...NEVER }),
    );
    expect(summaryText(report({ partners: [partner(), ...others] }), "Northgate Builders")).toBe(
      "Northgate Builders’ partners were on time 97.4% of October.\n" +
        "Procore was overdue most: 2.4% of the month, longest on Wed 14 October, 6 h 10 m, rate limited. " +
        "Aconex, CMiC, Fieldwire and 2 others were never overdue. We didn’t observe 1.0%.",
    );
    expect(summaryText(report({ partners: [others[0] ?? partner()] }), "Orchard")).toContain(
      "Aconex was never overdue.",
    );
    expect(summaryText(report({ partners: others }), "Orchard")).toContain(
      "No partner was overdue.",
    );
  });

  test("the day that we saw least of is named where one stands out", () => {
    const cell = [0, 0, 0, null] satisfies [number, number, number, null];
    const days = Array.from({ length: 31 }, (_, at) =>
      at === 8 ? ([0, 0, 12.5, null] satisfies [number, number, number, null]) : cell,
    );
    expect(summaryText(report({ partners: [partner({ days })] }), "Orchard")).toContain(
      "We didn’t observe 1.0%, most on the 9th.",
    );
  });
});

test("a month of which nothing is known, or that has not begun, says so", () => {
  const nothing = { total: null, partners: [] };
  expect(reportTitle(report({ ...nothing, observed: 0 }), "Orchard")).toBe(
    "We didn’t observe October 2026",
  );
  expect(reportTitle(report({ ...nothing, observed: null }), "Orchard")).toBe(
    "Nothing to report for October 2026 yet",
  );
  const blind = { on_time: 0, overdue: 0, planned_quiet: 0, not_observed: 100 };
  expect(reportTitle(report({ total: blind }), "Orchard")).toBe("We didn’t observe October");
  expect(reportTitle(report({ closed: false }), "Orchard")).toBe(
    "Orchard’s partners have been on time 97.4% of October so far",
  );
});

test("days, months and changes are short and plain", () => {
  expect(dayText("2026-10-21")).toBe("Wed 21 October");
  expect(
    ["01", "02", "03", "04", "11", "12", "13", "21", "22", "23", "31"].map((day) =>
      dayOrdinal(`2026-10-${day}`),
    ),
  ).toEqual(["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st"]);
  expect(["2026-09", "2026-06", "2026-10"].map(monthShort)).toEqual(["Sept", "June", "Oct"]);
  expect([-3.1, 0.8, 0, -0.04].map(changeText)).toEqual(["−3.1", "+0.8", "0.0", "0.0"]);
});

test("a calendar is told in words", () => {
  const days: ReportPartner["days"] = [
    [0, 0, 0, null],
    [25, 0, 0, "late"],
    [50, 0, 12.5, "stale"],
    [0, 100, 0, null],
    null,
  ];
  expect(calendarText({ days }, "2026-10")).toBe(
    "October by day: overdue on 2 days, most on the 3rd; planned quiet on 1 day; 1 day not fully observed",
  );
  expect(calendarText({ days: [null] }, "2026-10")).toBe("October by day: never overdue");
});
