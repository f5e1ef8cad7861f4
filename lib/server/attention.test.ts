import { expect, test } from "vitest";
import { createAttention } from "./attention";
import { createManualClock } from "./manual-clock";

test("what people look at is told once a minute, and heard by the others for five", async () => {
  const clock = createManualClock(0);
  const told: string[] = [];
  const here = createAttention({ clock, onLook: (company) => void told.push(company) });
  const there = createAttention({ clock });
  for (let second = 0; second < 61; second += 1) {
    here.note("northgate");
    await clock.advance(1_000);
  }
  expect(told).toEqual(["northgate", "northgate"]);
  expect(there.isLookedAt("northgate")).toBe(false);
  for (const company of told) there.heard(company);
  there.heard(null);
  expect(there.isLookedAt("northgate")).toBe(true);
  expect(there.isLookedAt("harbour")).toBe(false);
  await clock.advance(299_999);
  expect(there.isLookedAt("northgate")).toBe(true);
  await clock.advance(1);
  expect(there.isLookedAt("northgate")).toBe(false);
});
