import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "./units";
import { parseTyped, typedText } from "./typed-date";

const TODAY = "2026-11-25";

describe("a typed date", () => {
  test.each([
    ["24 Nov 2026", "2026-11-24"],
    ["24 november 2026", "2026-11-24"],
    ["Tue 24 Nov 2026", "2026-11-24"],
    ["Tuesday, 24th November 2026", "2026-11-24"],
    ["Nov 24, 2026", "2026-11-24"],
    ["24-Nov-2026", "2026-11-24"],
    ["3 Sept", "2026-09-03"],
    ["24 nov", "2026-11-24"],
    ["2026-11-24", "2026-11-24"],
    ["2026/11/24", "2026-11-24"],
    ["24.11.2026", "2026-11-24"],
    ["3.4.", "2026-04-03"],
    ["24/11/2026", "2026-11-24"],
    ["11/24/2026", "2026-11-24"],
    ["5/5/2026", "2026-05-05"],
    ["  today ", TODAY],
    ["29 Feb 2028", "2028-02-29"],
    ["", ""],
  ])("%j is %j", (text, value) => {
    expect(parseTyped(text, "date", TODAY)).toBe(value);
  });

  test.each([
    "tomorrowish",
    "31 Nov 2026",
    "29 Feb 2026",
    "4/5/2026",
    "24",
    "Nov",
    "24 Nov 26 2026",
    "24 Nov Dec 2026",
    "24 Nov 2026, 23:18",
    "2026-13-01",
  ])("%j is no date", (text) => {
    expect(parseTyped(text, "date", TODAY)).toBeNull();
  });
});

describe("a typed date and time", () => {
  test.each([
    ["24 Nov 2026, 23:18", "2026-11-24T23:18"],
    ["24 Nov 2026 23:18", "2026-11-24T23:18"],
    ["24 Nov 2026 at 9:05", "2026-11-24T09:05"],
    ["Nov 24, 2026 11:18 PM", "2026-11-24T23:18"],
    ["11/24/2026, 11:18 PM", "2026-11-24T23:18"],
    ["24 Nov 12 am", "2026-11-24T00:00"],
    ["24 Nov 12:30 p.m.", "2026-11-24T12:30"],
    ["24.11.2026 17.30", "2026-11-24T17:30"],
    ["2026-11-24T23:18", "2026-11-24T23:18"],
    ["2026-11-24 23:18:07", "2026-11-24T23:18"],
    ["24 Nov 2026", "2026-11-24T00:00"],
    ["17:00", "2026-11-25T17:00"],
    ["5 pm", "2026-11-25T17:00"],
    ["24.11", "2026-11-24T00:00"],
    ["", ""],
  ])("%j is %j", (text, value) => {
    expect(parseTyped(text, "datetime", TODAY)).toBe(value);
  });

  test.each(["24 Nov 2026, 24:00", "24 Nov 2026, 23:60", "24 Nov 13 pm", "soon 23:18", "0 am"])(
    "%j is none",
    (text) => {
      expect(parseTyped(text, "datetime", TODAY)).toBeNull();
    },
  );
});

test("what is shown is read as the same", () => {
  const minutes = fc.integer({ min: 0, max: 400 * 366 * 24 * 60 });
  fc.assert(
    fc.property(minutes, (many) => {
      const value = new Date(Date.UTC(1900, 0, 1) + many * MINUTE_MS).toISOString().slice(0, 16);
      expect(parseTyped(typedText(value), "datetime", TODAY)).toBe(value);
      const day = value.slice(0, 10);
      expect(parseTyped(typedText(day), "date", TODAY)).toBe(day);
    }),
  );
});

test("any text is read as a date that exists, or refused", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      const value = parseTyped(text, "datetime", TODAY);
      if (value === null || value === "") return;
      expect(Math.abs(Date.parse(`${value}:00Z`))).toBeLessThan(1e8 * DAY_MS);
      expect(value).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
    }),
  );
});

test("what is no date is shown as it is", () => {
  expect(typedText("")).toBe("");
  expect(typedText("2026-11-24T23:18")).toBe("24 Nov 2026, 23:18");
  expect(typedText("2026-03-04")).toBe("4 Mar 2026");
});
