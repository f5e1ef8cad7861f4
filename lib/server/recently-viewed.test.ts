import { expect, test } from "vitest";
import { createRecentlyViewed } from "./recently-viewed";
import { createManualClock } from "./manual-clock";

test("notifies other instances of a viewed company once a minute, which lasts five minutes there", async () => {
  const clock = createManualClock(0);
  const notified: string[] = [];
  const here = createRecentlyViewed({ clock, onLook: (company) => void notified.push(company) });
  const there = createRecentlyViewed({ clock });
  for (let second = 0; second < 61; second += 1) {
    here.add("northgate");
    await clock.advance(1_000);
  }
  expect(notified).toEqual(["northgate", "northgate"]);
  expect(there.has("northgate")).toBe(false);
  for (const company of notified) there.receive(company);
  there.receive(null);
  expect(there.has("northgate")).toBe(true);
  expect(there.has("harbour")).toBe(false);
  await clock.advance(299_999);
  expect(there.has("northgate")).toBe(true);
  await clock.advance(1);
  expect(there.has("northgate")).toBe(false);
});
