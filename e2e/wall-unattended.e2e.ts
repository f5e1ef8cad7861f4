import { expect, test } from "@playwright/test";
import { liveThrough } from "./wall/months";

test("a day of everything that can go wrong: nothing stale looked live, all of it was recovered from", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const life = await liveThrough(browser, { days: 1, seed: 7, tell: () => {} });
  expect(life.faults).toEqual([]);
  expect(life.steps).toBeGreaterThan(1000);
  expect(Object.keys(life.troubles).length).toBeGreaterThan(9);
  expect(life.heapSlopeBytesPerHour).toBeLessThan(2 ** 20);
});
