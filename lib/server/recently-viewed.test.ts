import { expect, test } from "vitest";
import { createRecentlyViewed } from "./recently-viewed";
import { createManualClock } from "./manual-clock";

test("what people look at is told once a minute, and heard by the others for five", async () => {
  const clock = createManualClock(0);
  const told: string[] = [];
  const here = createRecentlyViewed({ clock, onLook: (company) => void told.push(company) });
  const there = createRecentlyViewed({ clock });
  for (let second = 0; second < 61; second += 1) {
    here.view("northgate");
    await clock.advance(1_000);
  }
  expect(told).toEqual(["northgate", "northgate"]);
  expect(there.isRecentlyViewed("northgate")).toBe(false);
  for (const company of told) there.heard(company);
  there.heard(null);
  expect(there.isRecentlyViewed("northgate")).toBe(true);
  expect(there.isRecentlyViewed("harbour")).toBe(false);
  await clock.advance(299_999);
  expect(there.isRecentlyViewed("northgate")).toBe(true);
  await clock.advance(1);
  expect(there.isRecentlyViewed("northgate")).toBe(false);
});
