import { expect, test } from "vitest";
import { totalOf } from "./counted-page";

const counted = () => Promise.resolve(99);

test("derives the total from a page that isn't full", async () => {
  expect(await totalOf({ offset: 0, limit: 3 }, [1, 2], counted)).toBe(2);
  expect(await totalOf({ offset: 6, limit: 3 }, [7], counted)).toBe(7);
  expect(await totalOf({ offset: 0, limit: 3 }, [], counted)).toBe(0);
});

test("counts when the page is full, or empty past the start", async () => {
  expect(await totalOf({ offset: 0, limit: 3 }, [1, 2, 3], counted)).toBe(99);
  expect(await totalOf({ offset: 6, limit: 3 }, [], counted)).toBe(99);
});
