import { describe, expect, test } from "vitest";
import { PromiseRequest } from "@/lib/contracts/promises";
import {
  changesOf,
  draftFault,
  draftOf,
  draftProblem,
  lackAt,
  newDraft,
  requestOf,
  type PromiseDraft,
} from "./draft";
import { promise } from "./promise-fixture";

const TODAY = "2026-11-24";
const draft = (given: Partial<PromiseDraft> = {}) => ({ ...newDraft("Europe/Oslo"), ...given });
const lackOf = (given: Partial<PromiseDraft>) => {
  const [issue] = PromiseRequest.safeParse(requestOf(draft(given), TODAY)).error?.issues ?? [];
  return issue === undefined ? null : lackAt(issue.path);
};

describe("a draft", () => {
  test("is valid as it begins: workdays, for every feed", () => {
    expect(lackOf({})).toBeNull();
    expect(requestOf(draft(), TODAY)).toMatchObject({
      partner: null,
      endpoint_id: null,
      by: "07:00",
      days: ["mon", "tue", "wed", "thu", "fri"],
      month_days: null,
      time_zone: "Europe/Oslo",
    });
  });

  test("of a promise gives the same promise again", () => {
    const given = promise({
      days: null,
      month_days: [1, "last_workday"],
      data_from: "13:00",
      holidays: ["2026-12-25"],
      allowance_minutes: 15,
      target_percent: 97.5,
      note: "Contract 4.2",
    });
    expect(requestOf(draftOf(given), TODAY)).toEqual({
      partner: null,
      endpoint_id: "sage-commitments",
      by: "16:00",
      days: null,
      month_days: [1, "last_workday"],
      time_zone: "Europe/Oslo",
      data_from: "13:00",
      holidays: ["2026-12-25"],
      allowance_minutes: 15,
      from: null,
      until: null,
      target_percent: 97.5,
      note: "Contract 4.2",
    });
  });

  test("reads holidays as people write dates", () => {
    expect(
      requestOf(draft({ holidays: "25 Dec 2026\n\n2027-01-01; 17 May" }), TODAY).holidays,
    ).toEqual(["2026-12-25", "2027-01-01", "2026-05-17"]);
  });

  test.each<[string, Partial<PromiseDraft>]>([
    ["by", { by: "" }],
    ["days", { days: [] }],
    ["monthDays", { isMonthly: true }],
    ["dataFrom", { dataFrom: "07:00" }],
    ["holidays", { holidays: "Christmas" }],
    ["allowance", { allowance: "1.5" }],
    ["allowance", { allowance: "soon" }],
    ["until", { from: "2026-12-02", until: "2026-12-01" }],
    ["target", { target: "101" }],
    ["note", { note: "x".repeat(1_001) }],
  ])("names the field %s that isn't valid", (field, given) => {
    expect(lackOf(given)).toBe(field);
  });

  test("changes only what differs, so that a first day in the past may stay", () => {
    const before = requestOf(draftOf(promise({ from: "2026-01-01" })), TODAY);
    expect(changesOf(before, { ...before, by: "17:00", note: "New" })).toEqual({
      by: "17:00",
      note: "New",
    });
  });
});

test("a new promise can be kept on a day that isn't past, and an old one may end there", () => {
  const before = draft({ from: "2026-11-02" });
  const fieldOf = (given: Partial<PromiseDraft>, old: PromiseDraft | null) =>
    draftFault({ ...(old ?? draft()), ...given }, old, TODAY);
  expect(fieldOf({}, null)).toBeNull();
  expect(fieldOf({ from: TODAY, until: TODAY }, null)).toBeNull();
  expect(fieldOf({ from: "2026-11-23" }, null)).toBe("from");
  expect(fieldOf({ until: "2026-11-23" }, null)).toBe("until");
  expect(fieldOf({ until: "2026-11-23" }, before)).toBeNull();
  expect(fieldOf({ from: "2026-11-03" }, before)).toBe("from");
  expect(fieldOf({ by: "00:00" }, null)).toBe("by");
  expect(fieldOf({ by: "00:00", allowance: "30" }, null)).toBeNull();
  expect(fieldOf({ note: "New" }, draft({ by: "00:00" }))).toBeNull();
  // Wednesday to Sunday.
  const range = { from: "2026-11-25", until: "2026-11-29" };
  expect(fieldOf({ ...range, days: ["fri"] }, null)).toBeNull();
  expect(fieldOf({ ...range, days: ["tue"] }, null)).toBe("noDay");
  expect(fieldOf({ ...range, days: ["fri"], holidays: "27 Nov" }, null)).toBe("noDay");
  expect(fieldOf({ until: "2026-11-29", days: ["mon"] }, null)).toBe("noDay");
  expect(fieldOf({ until: "2026-11-29", days: ["mon"] }, before)).toBeNull();
  expect(fieldOf({ days: ["tue"] }, draft({ ...range, days: ["fri"] }))).toBe("noDay");
  expect(fieldOf({ note: "New" }, draft({ ...range, days: ["tue"] }))).toBeNull();
});

test("of several fields that aren't valid, all are named in the order of the form", () => {
  const refused = [{ problem: "Enter a time.", field: "by" }];
  const problemOf = (given: Partial<PromiseDraft>, typed: typeof refused = []) =>
    draftProblem(draft({ isChosen: true, ...given }), null, { today: TODAY, refused: typed });
  expect(problemOf({})).toBeNull();
  const several = problemOf({ allowance: "99x", target: "101" }, refused);
  expect([several?.field, ...(several?.more ?? []).map(({ field }) => field)]).toEqual([
    "by",
    "allowance",
    "target",
  ]);
  expect(problemOf({ by: "25" }, refused)).toEqual(refused[0]);
  expect(problemOf({ isChosen: false, allowance: "99x" }, refused)?.field).toBe("subject");
  expect(problemOf({ from: "2026-11-23" })?.field).toBe("from");
});
