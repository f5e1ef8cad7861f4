import { expect, test } from "@playwright/test";
import { liveThrough } from "./wall/months";

test("a day of everything that can go wrong: nothing stale looked live, all of it was recovered from", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const life = await liveThrough(browser, { days: 1, seed: 7, tell: () => {} });
  expect(life.faults).toEqual([]);
  expect(life.heapSlopeBytesPerHour).toBeLessThan(2 ** 20);
});
