import { expect, test } from "vitest";
import { createKeptPages, isGone } from "./parse-answer";

const answer = (text: string, status = 200) => ({
  status,
  headers: {},
  body: Buffer.from(text),
  sentAtMs: 0,
  receivedAtMs: 0,
});

function setUp() {
  const keptPage = createKeptPages<{ text: string }>();
  let amount = 0;
  const read = (page: number, text: string, status?: number) =>
    keptPage(page, answer(text, status), () => {
      amount += 1;
      if (text === "bad") throw new Error("not valid");
      return { text };
    });
  return { read, amount: () => amount };
}

test("reads a page again only if its bytes have changed", () => {
  const { read, amount } = setUp();
  const first = read(1, "a");
  expect(read(1, "a")).toBe(first);
  expect(read(2, "a")).not.toBe(first);
  expect(read(1, "b")).toEqual({ text: "b" });
  expect(read(1, "a")).not.toBe(first);
  expect(amount()).toBe(4);
});

test("keeps nothing of an invalid page, or of another status", () => {
  const { read, amount } = setUp();
  const first = read(1, "a");
  expect(() => read(1, "bad")).toThrow("not valid");
  expect(() => read(1, "bad")).toThrow("not valid");
  expect(read(1, "a")).toBe(first);
  read(1, "a", 203);
  expect(read(1, "a")).toBe(first);
  expect(amount()).toBe(4);
});

test.each([
  ["the API's", '{"error":"not_found","error_description":"No such file."}', true],
  ["the API's without a description", '{"error":"not_found"}', true],
  ["a framework's", '{"status":404,"error":"Not Found"}', false],
  ["a gateway's", '{"message":"Not Found"}', false],
  ["a page as its", "<html><h1>404 Not Found</h1></html>", false],
  ["an empty", "", false],
])("believes only the API that a file is gone: with %s body", (_, body, expected) => {
  expect(isGone(answer(body, 404))).toBe(expected);
  expect(isGone(answer(body, 410))).toBe(expected);
  expect(isGone(answer(body, 403))).toBe(false);
});
