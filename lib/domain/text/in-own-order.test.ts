import { expect, test } from "vitest";
import { inOwnOrder } from "./in-own-order";

test("removes marks that reorder the rest of a name", () => {
  expect(inOwnOrder("plan\u202Excod.exe")).toBe("planxcod.exe");
  expect(inOwnOrder("\u2067مشروع\u2069 البرج 🏗.xer")).toBe("مشروع البرج 🏗.xer");
});
