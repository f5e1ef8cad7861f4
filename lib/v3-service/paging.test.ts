import * as fc from "fast-check";
import { expect, test } from "vitest";
import { clampedInteger } from "@/lib/contracts/v3";
import { paginationMeta } from "./paging";

const BOUNDS = { min: 1, max: 100, absent: 50 };

test.each([
  [null, 50],
  ["", 50],
  ["abc", 50],
  ["0x10", 50],
  ["NaN", 50],
  ["Infinity", 50],
  [" 7", 50],
  ["7", 7],
  ["007", 7],
  ["+7", 7],
  ["7.9", 7],
  ["0", 1],
  ["-0", 1],
  ["-1", 1],
  ["1e1", 10],
  ["1e99", 100],
  ["1e999", 100],
  ["-1e999", 1],
  ["9".repeat(5_000), 100],
])("reads %j as %i", (text, expected) => {
  expect(clampedInteger(text, BOUNDS)).toBe(expected);
});

test("returns an integer within the bounds for any text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.double().map(String)), (text) => {
      const value = clampedInteger(text, BOUNDS);
      expect(Number.isInteger(value) && value >= 1 && value <= 100).toBe(true);
    }),
  );
});

test("counts no pages without rows, and an incomplete page as one", () => {
  expect(paginationMeta({ page: 3, perPage: 50 }, 0).total_pages).toBe(0);
  expect(paginationMeta({ page: 1, perPage: 50 }, 51).total_pages).toBe(2);
});
