import { afterEach, beforeEach, expect, it } from "vitest";
import { quantile } from "@/bench/median";
import { playTruth } from "@/bench/truth-run";
import { createTestDatabase } from "@/lib/server/store/test-database";

let test: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await test.drop();
});

const HOST = { endpoints: 200, seed: 7 };

it("data received is on an open wall within 80 s of an API whose pages are made anew every minute", async () => {
  // All phases of a minute against a third of a poll.
  const shownAfterMs = await playTruth({
    ...HOST,
    database: test.database,
    minutes: 40,
    cache: "made",
  });
  expect(shownAfterMs.length).toBeGreaterThan(400);
  expect(quantile(shownAfterMs, 0.95)).toBeLessThanOrEqual(78_000);
  expect(Math.max(...shownAfterMs)).toBeLessThanOrEqual(82_000);
}, 120_000);

it("pages that the API keeps from our own asking are asked for just after they ran out", async () => {
  const shownAfterMs = await playTruth({
    ...HOST,
    database: test.database,
    minutes: 20,
    cache: "asked",
  });
  expect(shownAfterMs.length).toBeGreaterThan(150);
  expect(Math.max(...shownAfterMs)).toBeLessThanOrEqual(66_000);
}, 120_000);
