import { describe, expect, test } from "vitest";
import type { ReportPartner, ReportView } from "@/lib/contracts/report";
import {
  calendarText,
  changeText,
  dayText,
  monthShort,
  partnerSentence,
  promiseCell,
  reportTitle,
  shareTexts,
  stateOfMonth,
  fleetSentences,
} from "./sentences";
import { reportStatement, reportSubject } from "./statement";

function partner(changes: Partial<ReportPartner> = {}): ReportPartner {
  return {
    partner_name: "Procore",
    on_time: 97.2,
    overdue: 2.4,
    planned_quiet: 0,
    not_observed: 0.4,
    on_time_of_checked: 97.6,
    overdue_of_checked: 2.4,
    incidents: null,
    promises: null,
    fleet_incidents: [],
    longest_overdue_seconds: 22_200,
    longest_overdue_day: "2026-10-14",
    longest_overdue_last_day: "2026-10-14",
    longest_overdue_cause: "rate_limited",
    runs: { completed: 1, failed: 0, timed_out: 0, rate_limited: 0 },
    days: [],
    endpoints: [],
    ...changes,
  };
}

const NEVER = {
  on_time: 100,
  on_time_of_checked: 100,
  overdue_of_checked: 0,
  overdue: 0,
  not_observed: 0,
  longest_overdue_seconds: 0,
  longest_overdue_day: null,
  longest_overdue_last_day: null,
  longest_overdue_cause: null,
};

function report(changes: Partial<ReportView> = {}): ReportView {
  return {
    month: "2026-10",
    time_zone: "UTC",
    closed: true,
    closed_on: "2026-11-01",
    as_of: null,
    endpoint_count: 1,
    observed: 99,
    headline: { on_time_of_checked: 98.4, checked: 99 },
    recorded_from: "2026-09-01",
    history_complete: true,
    total: { on_time: 97.4, overdue: 1.2, planned_quiet: 0.4, not_observed: 1 },
    partners: [partner()],
    apart: [],
    ...changes,
  };
}

describe("a share that was rounded to 0 or 100", () => {
  const SHARES = { on_time: 100, overdue: 0, planned_quiet: 0, not_observed: 0 };
  const cell = [0, 0, 0, null] as const;
  const of = (changes: Partial<ReportPartner>, shares = SHARES) =>
    Object.values(shareTexts(shares, [partner({ ...NEVER, days: [[...cell]], ...changes })]));
  const cells = (...given: Parameters<typeof of>) => of(...given).map((text) => text.cell);

  test("is said to be neither none nor all", () => {
    expect(cells({})).toEqual(["100.0", "0.0", "0.0", "0.0"]);
    expect(of({}).map(({ isNone }) => isNone)).toEqual([false, true, true, true]);
    const overdue = of({ longest_overdue_seconds: 60 });
    expect(overdue.map((text) => text.cell)).toEqual([">99.9", "<0.1", "0.0", "0.0"]);
    expect(overdue.map(({ said }) => said)).toEqual([
      "more than 99.9%",
      "less than 0.1%",
      "0.0%",
      "0.0%",
    ]);
    expect(overdue.map(({ isNone }) => isNone)).toEqual([false, false, true, true]);
    expect(cells({ days: [[0, 0.2, 0, null]] })).toEqual([">99.9", "0.0", "<0.1", "0.0"]);
    expect(cells({ days: [[0, 0, 0.2, null]] })).toEqual([">99.9", "0.0", "0.0", "<0.1"]);
    const unseen = { on_time: 0, overdue: 0, planned_quiet: 0, not_observed: 100 };
    expect(cells({ days: [[0, 0, 100, null]] }, unseen)).toEqual(["0.0", "0.0", "0.0", "100.0"]);
    expect(cells({ days: [[0, 0, 99.8, null]] }, unseen)).toEqual(["<0.1", "0.0", "0.0", ">99.9"]);
  });

  test("is so in sentences", () => {
    const hardly = { ...NEVER, longest_overdue_seconds: 60, longest_overdue_day: "2026-10-14" };
    const own = partner({ ...hardly, longest_overdue_last_day: "2026-10-14" });
    const most = { on_time_of_checked: 100, checked: 100 };
    const given = report({ total: SHARES, headline: most, partners: [own] });
    expect(reportStatement(given, "Orchard")).toContain(
      "Orchard’s partners were on time more than 99.9% of October. Procore was overdue most: less than 0.1% of the month, ",
    );
    expect(partnerSentence(own, given)).toContain(
      "Procore was on time more than 99.9% of October; overdue most on the 14th",
    );
    const seen = report({ total: SHARES, headline: most, partners: [partner(NEVER)] });
    expect(reportTitle(seen, "Orchard")).toBe("Orchard’s partners were on time 100.0% of October");
  });
});

describe("report sentences", () => {
  test("describe a partner", () => {
    expect(partnerSentence(partner(), report())).toBe(
      "Procore was on time 97.6% of the time we could check (99.6% of October); overdue most on the 14th, 6 h 10 m, rate limited; we couldn’t check 0.4%.",
    );
    const overTwoDays = { longest_overdue_last_day: "2026-10-15", not_observed: 0 };
    expect(partnerSentence(partner({ ...overTwoDays, on_time_of_checked: 97.2 }), report())).toBe(
      "Procore was on time 97.2% of October; overdue most from the 14th to the 15th, 6 h 10 m, rate limited.",
    );
    const hardlyChecked = { ...NEVER, on_time: 0, not_observed: 100 };
    expect(partnerSentence(partner(hardlyChecked), report())).toContain(
      "on time 100.0% of the time we could check (less than 0.1% of October)",
    );
    const unchecked = {
      ...NEVER,
      on_time: 0,
      on_time_of_checked: null,
      overdue_of_checked: null,
      not_observed: 100,
    };
    expect(partnerSentence(partner(unchecked), report({ closed: false }))).toBe(
      "We couldn’t check Procore in October so far.",
    );
    expect(
      partnerSentence(partner({ ...NEVER, planned_quiet: 2 }), report({ closed: false })),
    ).toBe("Procore was on time 100.0% of October so far; never overdue; planned quiet 2.0%.");
  });

  test("describe a month", () => {
    const others = ["Aconex", "CMiC", "Fieldwire", "Sage 300", "Vista"].map((partner_name) =>
      partner({ partner_name, ...NEVER }),
    );
    expect(
      reportStatement(report({ partners: [partner(), ...others] }), "Northgate Builders"),
    ).toBe(
      "Northgate Builders’ partners were on time 98.4% of the time we could check (99.0% of October). " +
        "Procore was overdue most: 2.4% of the time we could check, longest on Wed 14 October, 6 h 10 m, rate limited. " +
        "Aconex, CMiC, Fieldwire and 2 others were never overdue. We couldn’t check 1.0% of October. " +
        "Closed Sun 1 November 2026.",
    );
    expect(reportStatement(report({ partners: [others[0] ?? partner()] }), "Orchard")).toContain(
      "Aconex was never overdue.",
    );
    expect(reportStatement(report({ partners: others }), "Orchard")).toContain(
      "No partner was overdue.",
    );
  });

  test("say how promises were kept, beside the shares", () => {
    const promises = { met: 16, missed: 1, not_observed: 1, excused: 2 };
    const own = partner({ promises });
    expect(partnerSentence(own, report())).toContain(
      "; promises: 16 of 17 kept, 1 missed, 1 not checked, 2 excused.",
    );
    const of = report({ partners: [own, partner({ partner_name: "Aconex", promises })] });
    expect(reportStatement(of, "Orchard")).toContain(
      "Promises: 32 of 34 kept, 2 missed, 2 not checked, 4 excused. ",
    );
    // Those of a partner without a schedule are in no partner's figures.
    const webhook = { id: "hook", endpoint_key: "hook", kind: "webhook", promises } as const;
    const apart = ["Procore", "Hooks"].map((name) => ({ ...webhook, partner_name: name }));
    expect(reportStatement(report({ partners: [own], apart }), "Orchard")).toContain(
      "Promises: 32 of 34 kept, 2 missed, 2 not checked, 4 excused. ",
    );
    expect(reportStatement(report(), "Orchard")).not.toContain("Promises");
    expect(promiseCell(promises)).toEqual({
      text: "16 of 17",
      said: "16 of 17 kept, 1 missed, 1 not checked, 2 excused",
    });
    // Nothing that could be kept was.
    expect(promiseCell({ met: 0, missed: 0, not_observed: 3, excused: 0 })).toEqual({
      text: "–",
      said: "no days counted yet, 3 not checked",
    });
    expect(promiseCell(null)).toBeNull();
  });

  test("name a period over midnight from its first day to its last", () => {
    const long = {
      longest_overdue_day: "2026-11-15",
      longest_overdue_last_day: "2026-11-16",
      longest_overdue_seconds: 96_660,
    };
    expect(
      reportStatement(report({ month: "2026-11", partners: [partner(long)] }), "Orchard"),
    ).toContain(", longest from Sun 15 to Mon 16 November, 26 h 51 m, rate limited.");
  });

  test("hold unobserved time against no partner, and give an open month's date", () => {
    const half = {
      on_time: 46,
      overdue: 10.8,
      not_observed: 43.2,
      on_time_of_checked: 81,
      overdue_of_checked: 19,
    };
    const quietly = { ...NEVER, on_time: 60, not_observed: 40 };
    const open = report({
      month: "2026-11",
      closed: false,
      closed_on: null,
      as_of: "2026-11-25T01:12:30.000Z",
      time_zone: "Europe/Oslo",
      observed: 56.8,
      headline: { on_time_of_checked: 81, checked: 56.8 },
      total: { on_time: 46, overdue: 10.8, planned_quiet: 0, not_observed: 43.2 },
      partners: [partner(half), partner({ ...quietly, partner_name: "Aconex" })],
    });
    expect(reportStatement(open, "Orchard")).toBe(
      "Orchard’s partners have been on time 81.0% of the time we could check (56.8% of November so far). " +
        "Procore was overdue most: 19.0% of the time we could check, longest on Wed 14 October, 6 h 10 m, rate limited. " +
        "Aconex was never overdue when we checked. We couldn’t check 43.2% of November so far. " +
        "As of Wed 25 November 2026, 02:12 CET.",
    );
  });

  test("name who was overdue most of little checked time, and who never was", () => {
    const little = { on_time: 0, not_observed: 100, overdue: 0 };
    const zed = partner({
      ...little,
      partner_name: "Zed",
      on_time_of_checked: 80.1,
      overdue_of_checked: 19.9,
      longest_overdue_seconds: 60,
    });
    const aconex = { ...zed, partner_name: "Aconex", overdue_of_checked: 2.4 };
    const vista = partner({ ...NEVER, ...little, partner_name: "Vista" });
    const total = { ...little, planned_quiet: 0 };
    expect(reportStatement(report({ total, partners: [aconex, zed, vista] }), "Orchard")).toContain(
      "Zed was overdue most: 19.9% of the time we could check, longest on Wed 14 October, 1 m, rate limited. " +
        "Vista was never overdue when we checked. ",
    );
  });

  test("name the month with its year, and say how far back the history goes", () => {
    expect(reportSubject(report(), "Orchard")).toBe(
      "On-time report, October 2026, closed · Orchard",
    );
    const growing = report({ history_complete: false, recorded_from: "2026-10-12" });
    expect(reportStatement(growing, "Orchard")).toContain(
      "We’re still loading earlier history, so far back to Mon 12 October 2026.",
    );
  });

  test("name the least observed day when one stands out", () => {
    const cell = [0, 0, 0, null] satisfies [number, number, number, null];
    const days = Array.from({ length: 31 }, (_, at) =>
      at === 8 ? ([0, 0, 12.5, null] satisfies [number, number, number, null]) : cell,
    );
    expect(reportStatement(report({ partners: [partner({ days })] }), "Orchard")).toContain(
      "We couldn’t check 1.0% of October, most on the 9th.",
    );
  });
});

test("say when nothing is known of a month, or when it hasn't started", () => {
  const headline = { on_time_of_checked: null, checked: null };
  const nothing = { total: null, partners: [], headline };
  expect(reportTitle(report({ ...nothing, observed: 0 }), "Orchard")).toBe(
    "We didn’t check anything in October 2026",
  );
  const loading = { ...nothing, observed: 0, closed: false, history_complete: false };
  expect(reportTitle(report(loading), "Orchard")).toBe("October 2026 isn’t loaded yet");
  expect(reportTitle(report({ ...nothing, observed: null }), "Orchard")).toBe(
    "Nothing to report for October 2026 yet",
  );
  const ahead = { ...nothing, observed: null, closed: false, as_of: "2026-09-30T23:59:00.000Z" };
  expect(reportTitle(report(ahead), "Orchard")).toBe("October 2026 hasn’t started yet");
  const blind = { on_time: 0, overdue: 0, planned_quiet: 0, not_observed: 100 };
  expect(reportTitle(report({ total: blind, headline }), "Orchard")).toBe(
    "We couldn’t check anything in October",
  );
  const whole = { on_time: 97.4, overdue: 2.6, planned_quiet: 0, not_observed: 0 };
  const checked = { on_time_of_checked: 97.4, checked: 100 };
  expect(reportTitle(report({ closed: false, total: whole, headline: checked }), "Orchard")).toBe(
    "Orchard’s partners have been on time 97.4% of October so far",
  );
});

test("tell a month that's over from the current one, before it's closed too", () => {
  const whole = { on_time: 97.4, overdue: 2.6, planned_quiet: 0, not_observed: 0 };
  const open = { closed: false, closed_on: null, time_zone: "Europe/Oslo", total: whole };
  const at = (as_of: string) => report({ ...open, as_of });
  const running = at("2026-10-31T22:59:59.000Z");
  const over = at("2026-10-31T23:00:00.000Z");
  const ahead = at("2026-09-30T12:00:00.000Z");
  expect([ahead, running, over, report()].map(stateOfMonth)).toEqual([
    null,
    "running",
    "over",
    "closed",
  ]);
  expect(reportTitle(over, "Orchard")).toBe("Orchard’s partners were on time 98.4% of October");
  expect(reportStatement(over, "Orchard")).not.toContain("so far");
  expect(reportStatement(running, "Orchard")).toContain(
    "have been on time 98.4% of October so far",
  );
});

test("format days, months and changes briefly", () => {
  expect(dayText("2026-10-21")).toBe("Wed 21 October");
  expect(["2026-09", "2026-06", "2026-10"].map(monthShort)).toEqual(["Sept", "June", "Oct"]);
  expect([-3.1, 0.8, 0, -0.04].map(changeText)).toEqual(["−3.1", "+0.8", "0.0", "0.0"]);
});

test("describe a calendar", () => {
  const days: ReportPartner["days"] = [
    [0, 0, 0, null],
    [25, 0, 0, "late"],
    [50, 0, 12.5, "stale"],
    [0, 100, 0, null],
    null,
  ];
  expect(calendarText({ days }, "2026-10")).toBe(
    "October by day: overdue on 2 days, most on the 3rd; planned quiet on 1 day; 1 day not fully checked",
  );
  expect(calendarText({ days: [null] }, "2026-10")).toBe("October by day: never overdue");
});

test("says of a partner's incidents which were part of one at several customers", () => {
  const fleet = { id: "6f1a2c1e-0000-4000-8000-000000000000", incidents: 1, companies: 9 };
  const fleets = [
    { ...fleet, opened_at: "2026-10-13T23:30:00.000Z" },
    { ...fleet, opened_at: "2026-10-20T12:00:00.000Z", incidents: 2, companies: 3 },
  ];
  expect(fleetSentences(partner({ fleet_incidents: fleets }), "Europe/Oslo")).toEqual([
    "14 Oct: 1 incident was part of one that hit Procore at 9 customers.",
    "20 Oct: 2 incidents were part of one that hit Procore at 3 customers.",
  ]);
  expect(fleetSentences(partner(), "UTC")).toEqual([]);
});
