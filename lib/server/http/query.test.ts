import { expect, test } from "vitest";
import { z } from "zod";
import { choice, flag, integer, notValid, search, text } from "./query";

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
    (query: URLSearchParams, name: string) => integer(query, name, { min: 0, max: 9 }),
  ],
  ["a flag", flag],
])("refuses %s that is given twice, even if both are equal", (_, read) => {
  expect(() => read(new URLSearchParams("a=1&a=1"), "a")).toThrow("a can be given only once.");
});

test.each([
  [4, "every must be at least 15."],
  [101, "every must be at most 100."],
  ["x", "every is missing or not valid."],
  [15.5, "every is missing or not valid."],
])("says the limit that %s breaks, if it does", (every, message) => {
  const result = z.object({ every: z.int().min(15).max(100) }).safeParse({ every });
  expect(result.error === undefined ? "" : notValid(result.error).message).toBe(message);
});

test.each([
  [{ note: "x".repeat(2_001) }, "note must have at most 2,000 characters."],
  [{ days: ["mon", "tue", "wed"] }, "days must have at most 2 entries."],
  [{ note: "" }, "note is missing or not valid."],
])("says how long a text or a list may be", (given, message) => {
  const schema = z.object({
    note: z.string().min(1).max(2_000).optional(),
    days: z.array(z.string()).max(2).optional(),
  });
  const result = schema.safeParse(given);
  expect(result.error === undefined ? "" : notValid(result.error).message).toBe(message);
});

test("names an unknown property, also inside another", () => {
  const schema = z.strictObject({ grants: z.array(z.strictObject({ role: z.string() })) });
  const refusalOf = (given: object, mayNot?: string) => {
    const { error } = schema.safeParse(given);
    return error === undefined ? "" : notValid(error, mayNot).message;
  };
  expect(refusalOf({ grants: [], extra: 1 })).toBe("extra can’t be set here.");
  expect(refusalOf({ grants: [{ role: "viewer", extra: 1 }] })).toBe("extra can’t be set here.");
  expect(refusalOf({ grants: [], extra: 1 }, "isn't an argument")).toBe("extra isn't an argument.");
});
