import { expect, test } from "vitest";
import { instantMs } from "./instant";

test("reads offsets and fractions", () => {
  const expected = Date.UTC(2026, 10, 19, 11, 22, 7);
  expect(instantMs("2026-11-19T11:22:07Z")).toBe(expected);
  expect(instantMs("2026-11-19T12:22:07+01:00")).toBe(expected);
  expect(instantMs("2026-11-19T11:22:07.250Z")).toBe(expected + 250);
  expect(instantMs("2026-11-19 11:22:07 UTC")).toBe(expected);
  expect(instantMs("2026-11-19 12:22:07 +0100")).toBe(expected);
  expect(instantMs("2026-11-19t11:22:07z")).toBe(expected);
  expect(instantMs("2026-11-19")).toBe(Date.UTC(2026, 10, 19));
});

test("reads text without a zone as UTC in any environment", () => {
  expect(instantMs("2026-11-19T11:22:07")).toBe(Date.UTC(2026, 10, 19, 11, 22, 7));
  expect(instantMs("2026-11-19 11:22:07.5")).toBe(Date.UTC(2026, 10, 19, 11, 22, 7, 500));
});

test("returns null for null and for text that isn't an instant", () => {
  for (const text of [null, "", "soon", "1", "garbage 1", "2026-13-40T00:00:00Z"])
    expect(instantMs(text)).toBeNull();
  for (const text of ["2026-02-30T00:00:00Z", "2026-11-31", "2026-11-27 (x)", "2026-11-27T25:00Z"])
    expect(instantMs(text)).toBeNull();
});

test.each([
  ["0000-01-01T00:00:00Z", 0],
  ["0001-01-01T00:00:00+14:00", 0],
  ["0026-11-27T14:25:54Z", 0],
  ["1969-12-31T23:59:59Z", 0],
  ["9999-12-31T23:59:59-14:00", Date.parse("9999-12-31T23:59:59.999Z")],
])("reads %s as the nearest instant that can be stored and read back", (text, expected) => {
  expect(instantMs(text)).toBe(expected);
});
