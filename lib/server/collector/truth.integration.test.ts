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

it("shows received data on an open wall display within 80 s when the API regenerates pages every minute", async () => {
  // Covers all offsets between the API's minutes and checks.
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

it("requests pages just after they expire when the API caches them from our requests", async () => {
  const shownAfterMs = await playTruth({
    ...HOST,
    database: test.database,
    minutes: 20,
    cache: "requested",
  });
  expect(shownAfterMs.length).toBeGreaterThan(150);
  expect(Math.max(...shownAfterMs)).toBeLessThanOrEqual(66_000);
}, 120_000);
