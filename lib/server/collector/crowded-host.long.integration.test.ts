import { afterEach, beforeEach, expect } from "vitest";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { REFRESH_AT_LIFE_PART } from "@/lib/server/upstream/token-request";
import { startCrowd, startCrowdedHost } from "./crowded-host-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
/** Far more companies than tokens and requests a minute; `npm run soak -- companies` uses five hundred. */
const LIMITS = { requestsPerMinute: 12, tokenRequestsPerMinute: 2 };
const COMPANIES = 20;
const TOKEN_SECONDS = 1_200;

let clock: ManualClock;
const test = freshDatabaseTest();
let host: Awaited<ReturnType<typeof startCrowdedHost>>;
let crowd: ReturnType<typeof startCrowd> | null;
beforeEach(async () => {
  clock = createManualClock(START_MS);
  host = await startCrowdedHost(clock, LIMITS, (nowMs) => sampleRows(2, nowMs), TOKEN_SECONDS);
  crowd = null;
});
afterEach(async () => {
  await crowd?.stop();
  await host.close();
});

async function start(
  db: TestDatabase,
  isRecentlyViewed?: (company: string) => boolean,
  limits = LIMITS,
) {
  crowd = startCrowd({
    clock,
    database: db.database,
    host,
    limits,
    count: COMPANIES,
    ...(isRecentlyViewed && { isRecentlyViewed }),
  });
  await crowd.start();
  return crowd;
}

test("polls each of many companies at one host in turn, and within one interval after a restart", async ({
  db,
}) => {
  const first = await start(db);
  await first.pass(2 * MINUTE_MS);
  // The expected time is announced beforehand.
  const waiting = first.slugs.flatMap((slug) => {
    const state = first.snapshots.get(slug)?.state;
    return state === undefined || state.asOfMs !== null ? [] : [state];
  });
  expect(waiting.length).toBeGreaterThan(14);
  expect(waiting.every(({ reason }) => reason === "starting")).toBe(true);
  const expectedMs = waiting.map(({ nextRefreshMs }) => nextRefreshMs - clock.nowMs());
  expect(Math.max(...expectedMs)).toBeGreaterThan(6 * MINUTE_MS);
  expect(Math.max(...expectedMs)).toBeLessThan(11 * MINUTE_MS);

  await first.pass(9 * MINUTE_MS);
  expect(first.missing()).toBe(0);
  const scoped = host.tokenRequests.filter(({ scope }) => scope !== null);
  expect(scoped).toHaveLength(COMPANIES);
  expect(new Set(scoped.map(({ scope }) => scope))).toEqual(
    new Set(["read:schedule_files read:sync_status"]),
  );

  const rhythmMs = 1000 * (first.snapshots.get("company-000")?.state.rhythmSeconds ?? 0);
  expect(rhythmMs).toBeGreaterThan(3 * MINUTE_MS);
  let oldestMs = 0;
  await first.pass(14 * MINUTE_MS, () => {
    for (const slug of first.slugs)
      oldestMs = Math.max(oldestMs, first.snapshots.ageMs(slug) ?? Number.POSITIVE_INFINITY);
  });
  expect(oldestMs).toBeLessThan(1.5 * rhythmMs);

  await first.stop();
  const restartedMs = clock.nowMs();
  const second = await start(db);
  const tokensBefore = host.tokenRequests.length;
  await second.pass(rhythmMs + MINUTE_MS);
  for (const slug of second.slugs) {
    expect(second.snapshots.get(slug)?.state.asOfMs ?? 0).toBeGreaterThan(restartedMs);
  }
  // Tokens were persisted, so only expiring ones were requested again.
  const earlier = new Map(
    host.tokenRequests.slice(0, tokensBefore).map(({ clientId, atMs }) => [clientId, atMs]),
  );
  for (const { clientId, atMs } of host.tokenRequests.slice(tokensBefore)) {
    const previousMs = earlier.get(clientId) ?? Number.NEGATIVE_INFINITY;
    expect(atMs - previousMs).toBeGreaterThanOrEqual(1000 * TOKEN_SECONDS * REFRESH_AT_LIFE_PART);
    earlier.set(clientId, atMs);
  }
  expect(host.refused()).toBe(0);
}, 120_000);

test("never attributes waiting for our own limit to the source when only requests are scarce", async ({
  db,
}) => {
  // Our limit is lower than the host's.
  const few = { requestsPerMinute: 3, tokenRequestsPerMinute: 2 };
  const first = await start(db, undefined, few);
  const reasons = new Set<string | null>();
  await first.pass(12 * MINUTE_MS, () => {
    for (const slug of first.slugs) reasons.add(first.snapshots.get(slug)?.state.reason ?? null);
  });
  expect(host.refused()).toBe(0);
  expect(host.polls.length).toBeGreaterThan(10);
  expect(reasons).toEqual(new Set([null, "starting"]));
});

test("keeps reading the others of a host while the API limits each request of some", async ({
  db,
}) => {
  crowd = startCrowd({ clock, database: db.database, host, limits: LIMITS, count: 4 });
  const { slugs, snapshots } = crowd;
  const [first = "", second = "", ...others] = slugs;
  const ageMs = (slug: string) => snapshots.ageMs(slug) ?? Number.POSITIVE_INFINITY;
  await crowd.start();
  await crowd.pass(6 * MINUTE_MS);
  expect(crowd.missing()).toBe(0);

  host.limit([first, second]);
  await crowd.pass(8 * MINUTE_MS);
  let oldestMs = 0;
  await crowd.pass(30 * MINUTE_MS, () => {
    oldestMs = Math.max(oldestMs, ...others.map(ageMs));
  });
  // The others stay live.
  expect(oldestMs).toBeLessThan(2.5 * MINUTE_MS);
  for (const slug of [first, second])
    expect(snapshots.get(slug)?.state.reason).toBe("rate_limited");

  host.limit([second]);
  await crowd.pass(5 * MINUTE_MS);
  expect(ageMs(first)).toBeLessThan(2.5 * MINUTE_MS);
  host.limit([]);
  await crowd.pass(5 * MINUTE_MS);
  expect(Math.max(...slugs.map(ageMs))).toBeLessThan(2.5 * MINUTE_MS);
});

test("polls a recently viewed company first", async ({ db }) => {
  const wanted = "company-019";
  const first = await start(db, (company) => company === wanted);
  await first.pass(3 * MINUTE_MS);
  expect(first.snapshots.get(wanted)?.state.asOfMs ?? 0).toBeGreaterThan(START_MS);
  expect(first.missing()).toBeGreaterThan(12);
});

test("stores no token in plain text", async ({ db }) => {
  const first = await start(db);
  await first.pass(2 * MINUTE_MS);
  const { rows } = await db.database.pool.query<{ text: string }>(
    "select row_to_json(kept)::text as text from upstream_tokens kept",
  );
  expect(rows.length).toBeGreaterThan(0);
  // The host's tokens start with the client id and a dot.
  expect(rows.map(({ text }) => text).join()).not.toMatch(/company-\d+\.\d/);
});
