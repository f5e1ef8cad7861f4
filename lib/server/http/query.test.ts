import { expect, test } from "vitest";
import { choice, flag, integer, search, text } from "./query";

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

test.each([
  ["a text", text],
  ["a search", search],
  ["a choice", (query: URLSearchParams, name: string) => choice(query, name, ["1", "2"])],
  [
    "an integer",
    (query: URLSearchParams, name: string) => integer(query, name, { least: 0, most: 9 }),
  ],
  ["a flag", flag],
])("refuses %s that is given twice, even if both are equal", (_, read) => {
  expect(() => read(new URLSearchParams("a=1&a=1"), "a")).toThrow("a can be given only once.");
});
