import { expect, test } from "vitest";
import { search } from "./query";

const asked = (q: string) => search(new URLSearchParams({ q }), "q");

test("accepts a search of twenty words or four hundred characters unchanged", () => {
  expect(asked("a ".repeat(20))).toBe("a ".repeat(20));
  expect(asked("x".repeat(400))).toBe("x".repeat(400));
  expect(asked("")).toBeNull();
});

test("refuses a longer one, with the limit", () => {
  for (const q of ["a ".repeat(21), "a\n".repeat(6_000), "x".repeat(401)])
    expect(() => asked(q)).toThrow("q must have at most 20 words and 400 characters.");
});
