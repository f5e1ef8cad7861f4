import { expect, test } from "vitest";
import { search } from "./query";

const searchOf = (q: string) => search(new URLSearchParams({ q }), "q");

test("accepts a search of twenty words or four hundred characters unchanged", () => {
  expect(searchOf("a ".repeat(20))).toBe("a ".repeat(20));
  expect(searchOf("x".repeat(400))).toBe("x".repeat(400));
  expect(searchOf("")).toBeNull();
});

test("refuses a longer one, with the limit", () => {
  for (const q of ["a ".repeat(21), "a\n".repeat(6_000), "x".repeat(401)])
    expect(() => searchOf(q)).toThrow("q must have at most 20 words and 400 characters.");
});
