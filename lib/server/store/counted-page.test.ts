import { expect, test } from "vitest";
import { totalOf } from "./counted-page";

const counted = () => Promise.resolve(99);

test("a part that isn't full has the list's end, and says how long the list is", async () => {
  expect(await totalOf({ offset: 0, limit: 3 }, [1, 2], counted)).toBe(2);
  expect(await totalOf({ offset: 6, limit: 3 }, [7], counted)).toBe(7);
  expect(await totalOf({ offset: 0, limit: 3 }, [], counted)).toBe(0);
});

test("after a full part there may be more, and before an empty one fewer, so they are counted", async () => {
  expect(await totalOf({ offset: 0, limit: 3 }, [1, 2, 3], counted)).toBe(99);
  expect(await totalOf({ offset: 6, limit: 3 }, [], counted)).toBe(99);
});
