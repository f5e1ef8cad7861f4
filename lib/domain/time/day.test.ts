import { expect, test } from "vitest";
import { dayEndMs, dayOf, dayStartMs, localTimeMs, minutesOf } from "./day";

const at = (text: string) => Date.parse(text);

test("starts a day at midnight of its zone", () => {
  expect(dayStartMs("2026-11-19", "UTC")).toBe(at("2026-11-19T00:00:00Z"));
  expect(dayStartMs("2026-11-19", "Europe/Oslo")).toBe(at("2026-11-18T23:00:00Z"));
  expect(dayStartMs("2026-11-19", "America/Los_Angeles")).toBe(at("2026-11-19T08:00:00Z"));
  expect(dayStartMs("2026-11-19", "Asia/Kolkata")).toBe(at("2026-11-18T18:30:00Z"));
});

test("ends a day where the next one starts, also when the clocks change on it", () => {
  expect(dayEndMs("2026-03-29", "Europe/Oslo")).toBe(at("2026-03-29T22:00:00Z"));
  expect(dayStartMs("2026-03-29", "Europe/Oslo")).toBe(at("2026-03-28T23:00:00Z"));
  expect(dayEndMs("2026-10-25", "Europe/Oslo")).toBe(at("2026-10-25T23:00:00Z"));
  expect(dayEndMs("2026-12-31", "UTC")).toBe(at("2027-01-01T00:00:00Z"));
});

test("shows the chosen day in a field", () => {
  for (const zone of ["UTC", "Europe/Oslo", "America/Los_Angeles", "Pacific/Kiritimati"]) {
    for (const day of ["2026-03-29", "2026-10-25", "2026-11-01", "2028-02-29"]) {
      expect(dayOf(dayStartMs(day, zone) ?? 0, zone)).toBe(day);
      expect(dayOf((dayEndMs(day, zone) ?? 0) - 1, zone)).toBe(day);
    }
  }
});

test("starts a day without a midnight when the clocks jump", () => {
  expect(dayStartMs("2026-09-06", "America/Santiago")).toBe(at("2026-09-06T04:00:00Z"));
  expect(dayEndMs("2026-09-05", "America/Santiago")).toBe(at("2026-09-06T04:00:00Z"));
  expect(dayStartMs("2026-03-08", "America/Havana")).toBe(at("2026-03-08T05:00:00Z"));
  expect(dayStartMs("2026-11-01", "America/Havana")).toBe(at("2026-11-01T04:00:00Z"));
});

test("rejects an incomplete date", () => {
  for (const text of ["", "2026", "2026-11", "2026-13-01", "yesterday"]) {
    expect(dayStartMs(text, "UTC")).toBeNull();
    expect(dayEndMs(text, "UTC")).toBeNull();
  }
});

test.each([
  ["2026-11-23", "UTC", "2026-11-23T09:00:00.000Z"],
  ["2026-11-23", "Europe/Oslo", "2026-11-23T08:00:00.000Z"],
  // Clocks go forward, and back, in the night before.
  ["2026-03-29", "Europe/Oslo", "2026-03-29T07:00:00.000Z"],
  ["2026-10-25", "Europe/Oslo", "2026-10-25T08:00:00.000Z"],
])("converts nine in the morning of %s in %s to %s", (day, timeZone, instant) => {
  expect(localTimeMs(`${day}T09:00`, timeZone)).toBe(Date.parse(instant));
  expect(localTimeMs("soon", timeZone)).toBeNull();
});

test.each([
  ["00:00", 0],
  ["06:30", 390],
  ["24:00", 1440],
  ["24:01", null],
  ["6:30", null],
  ["06:60", null],
  ["", null],
])("%s is minute %s of a day", (time, minutes) => {
  expect(minutesOf(time)).toBe(minutes);
});
