import { describe, expect, test } from "vitest";
import {
  carePeriods,
  companyHandsAt,
  isHandable,
  isHandableCompany,
  isMine,
  standInsOf,
  type Care,
  type Hands,
} from "./mine";

const NO_ONE: Hands = {
  ownerId: null,
  acknowledgedById: null,
  companyOwnerId: null,
  standInId: null,
};
const [MEMBER, ADMINISTRATOR] = [{ isAdministrator: false }, { isAdministrator: true }];

describe("isMine", () => {
  test.each(["ownerId", "acknowledgedById", "companyOwnerId", "standInId"] as const)(
    "is true for my id as its %s",
    (what) => {
      expect(isMine("ana", { ...NO_ONE, [what]: "ana" })).toBe(true);
      expect(isMine("bo", { ...NO_ONE, [what]: "ana" })).toBe(false);
    },
  );

  test("is false by default", () => {
    expect(isMine("ana", NO_ONE)).toBe(false);
  });
});

describe("owner and stand-in of a company", () => {
  const care: Care = {
    ownerId: "ana",
    ownerSinceMs: 100,
    standIns: [{ id: "bo", fromMs: 200, untilMs: 300 }],
  };

  test.each([
    [99, null, null],
    [100, "ana", null],
    [199, "ana", null],
    [200, "ana", "bo"],
    [299, "ana", "bo"],
    [300, "ana", null],
  ])("at %i ms: %s and %s", (atMs, companyOwnerId, standInId) => {
    expect(companyHandsAt(care, atMs)).toEqual({ companyOwnerId, standInId });
  });

  test("includes an owner of unrecorded start at all times", () => {
    const { companyOwnerId } = companyHandsAt({ ...care, ownerSinceMs: null }, -1e15);
    expect(companyOwnerId).toBe("ana");
  });

  test("returns the periods in which a person owns or stands in", () => {
    expect(carePeriods(care, "ana")).toEqual([{ fromMs: 100, untilMs: Infinity }]);
    expect(carePeriods(care, "bo")).toMatchObject([{ fromMs: 200, untilMs: 300 }]);
    expect(carePeriods({ ...care, ownerId: "bo", ownerSinceMs: null }, "bo")).toMatchObject([
      { fromMs: -Infinity, untilMs: Infinity },
      { fromMs: 200, untilMs: 300 },
    ]);
    expect(carePeriods(care, "ada")).toEqual([]);
  });
});

describe("standInsOf", () => {
  const [bo, ada] = [
    { id: "bo", fromMs: 100, untilMs: 900 },
    { id: "ada", fromMs: 200, untilMs: 300 },
  ];

  test("lets a replaced stand-in go on before and after the period of the one who replaces them", () => {
    expect(standInsOf([ada, bo])).toEqual([
      { id: "bo", fromMs: 100, untilMs: 200 },
      { id: "ada", fromMs: 200, untilMs: 300 },
      { id: "bo", fromMs: 300, untilMs: 900 },
    ]);
  });

  test("has one period of a person who replaces themselves", () => {
    expect(standInsOf([{ ...bo, fromMs: 400, untilMs: 500 }, bo])).toEqual([bo]);
  });

  test("leaves out the time between two periods, and one that lies within another", () => {
    const later = { id: "ada", fromMs: 1000, untilMs: 1100 };
    expect(standInsOf([later, bo, ada])).toEqual([bo, later]);
    expect(standInsOf([])).toEqual([]);
  });
});

describe("handover", () => {
  test("covers my own incidents unless a colleague owns them", () => {
    expect(isHandable("ana", { ...NO_ONE, acknowledgedById: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NO_ONE, companyOwnerId: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NO_ONE, acknowledgedById: "ana", ownerId: "bo" }, MEMBER)).toBe(
      false,
    );
  });

  test("lets administrators hand over unassigned incidents", () => {
    expect(isHandable("ada", NO_ONE, ADMINISTRATOR)).toBe(true);
    expect(isHandable("ada", NO_ONE, MEMBER)).toBe(false);
    expect(isHandable("ada", { ...NO_ONE, acknowledgedById: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandable("ada", { ...NO_ONE, companyOwnerId: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandableCompany("ada", NO_ONE, ADMINISTRATOR)).toBe(true);
    expect(isHandableCompany("ada", NO_ONE, MEMBER)).toBe(false);
    expect(isHandableCompany("ada", { ...NO_ONE, standInId: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandableCompany("bo", { ...NO_ONE, standInId: "bo" }, MEMBER)).toBe(true);
  });
});
