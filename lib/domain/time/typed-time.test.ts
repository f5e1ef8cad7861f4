import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseTypedTime } from "./typed-time";

test.each([
  ["7", "07:00"],
  ["07", "07:00"],
  ["7:5", "07:05"],
  ["730", "07:30"],
  ["0730", "07:30"],
  ["7.30", "07:30"],
  ["7h30", "07:30"],
  ["7 h", "07:00"],
  ["07:30:00", "07:30"],
  ["7 pm", "19:00"],
  ["7PM", "19:00"],
  ["7:30 p.m.", "19:30"],
  ["1130pm", "23:30"],
  ["12 am", "00:00"],
  ["12 pm", "12:00"],
  ["0", "00:00"],
  [" 23:59 ", "23:59"],
  ["", ""],
  ["  ", ""],
])("the typed time %j is %j", (text, value) => {
  expect(parseTypedTime(text, false)).toBe(value);
});

test.each([
  "24",
  "24:00",
  "7:60",
  "760",
  "13 pm",
  "0 am",
  "12345",
  "7:305",
  "-7",
  ":30",
  "pm",
  "noonish",
  "24 Nov",
])("%j is no time", (text) => {
  expect(parseTypedTime(text, false)).toBeNull();
});

test("accepts 24:00 where a period ends", () => {
  for (const text of ["24", "24:00", "2400"]) expect(parseTypedTime(text, true)).toBe("24:00");
  for (const text of ["24:01", "25", "24 pm"]) expect(parseTypedTime(text, true)).toBeNull();
});

test("reads each minute of the day in every way of writing it", () => {
  const two = (value: number) => String(value).padStart(2, "0");
  fc.assert(
    fc.property(fc.nat(23), fc.nat(59), fc.boolean(), (hour, minute, isEnd) => {
      const value = `${two(hour)}:${two(minute)}`;
      const half = hour < 12 ? "am" : "pm";
      const clock = hour % 12 === 0 ? 12 : hour % 12;
      for (const text of [
        value,
        `${hour}:${minute}`,
        `${hour}.${two(minute)}`,
        `${two(hour)}${two(minute)}`,
        `${hour}${two(minute)}`,
        `${clock}:${two(minute)} ${half}`,
        `${clock}${two(minute)}${half.toUpperCase()}`,
      ])
        expect(parseTypedTime(text, isEnd)).toBe(value);
    }),
  );
});

test("reads any text as a time of the day, or refuses it", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom("1", "2", "3", "5", "9", "0", ":", ".", "h", "a", "p", "m", " "),
      maxLength: 8,
    }),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (typed, isEnd) => {
      const value = parseTypedTime(typed, isEnd);
      if (value === null || value === "") return;
      expect(value).toMatch(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/);
      if (!isEnd) expect(value).not.toBe("24:00");
      expect(parseTypedTime(value, isEnd)).toBe(value);
    }),
  );
});
