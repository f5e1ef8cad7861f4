import { expect } from "vitest";
import { quantile } from "@/bench/median";
import { playTruth } from "@/bench/truth-run";
import { freshDatabaseTest } from "@/lib/server/store/test-database";

const test = freshDatabaseTest();

const HOST = { endpoints: 200, seed: 7 };

test("shows received data on an open wall display within 80 s when the API regenerates pages every minute", async ({
  db,
}) => {
  // Covers all offsets between the API's minutes and checks.
  const shownAfterMs = await playTruth({
    ...HOST,
    database: db.database,
    minutes: 40,
    cache: "made",
  });
  expect(shownAfterMs.length).toBeGreaterThan(400);
  expect(quantile(shownAfterMs, 0.95)).toBeLessThanOrEqual(78_000);
  expect(Math.max(...shownAfterMs)).toBeLessThanOrEqual(82_000);
}, 120_000);

test("requests pages just after they expire when the API caches them from our requests", async ({
  db,
}) => {
  const shownAfterMs = await playTruth({
    ...HOST,
    database: db.database,
    minutes: 20,
    cache: "requested",
  });
  expect(shownAfterMs.length).toBeGreaterThan(150);
  expect(Math.max(...shownAfterMs)).toBeLessThanOrEqual(66_000);
}, 120_000);
