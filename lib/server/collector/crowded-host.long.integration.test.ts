import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { REFRESH_AT_LIFE_PART } from "@/lib/server/upstream/token-request";
import { startCrowd, startCrowdedHost, type HostFault } from "./crowded-host-fixture";
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

  host.fail([first, second], LIMITED);
  await crowd.pass(8 * MINUTE_MS);
  let oldestMs = 0;
  await crowd.pass(30 * MINUTE_MS, () => {
    oldestMs = Math.max(oldestMs, ...others.map(ageMs));
  });
  // The others stay live.
  expect(oldestMs).toBeLessThan(2.5 * MINUTE_MS);
  for (const slug of [first, second])
    expect(snapshots.get(slug)?.state.reason).toBe("rate_limited");

  host.fail([second], LIMITED);
  await crowd.pass(5 * MINUTE_MS);
  expect(ageMs(first)).toBeLessThan(2.5 * MINUTE_MS);
  host.fail([], {});
  await crowd.pass(5 * MINUTE_MS);
  expect(Math.max(...slugs.map(ageMs))).toBeLessThan(2.5 * MINUTE_MS);
});

const answer =
  (
    status: number,
    body: unknown,
    headers: (nowMs: number) => Record<string, string> = () => ({}),
  ) =>
  (response: ServerResponse, nowMs: number) =>
    void response
      .writeHead(status, {
        "content-type": "application/json",
        date: new Date(nowMs).toUTCString(),
        ...headers(nowMs),
      })
      .end(typeof body === "string" ? body : JSON.stringify(body));
const LIMITED: HostFault = { api: answer(429, { error: "rate_limited" }) };
/** Says with each page that nothing remains of the limit for an hour. */
const DRAINED: HostFault = {
  api: (response, nowMs) => {
    const data = sampleRows(2, nowMs);
    const meta = { page: 1, per_page: 100, total_count: data.length, total_pages: 1 };
    answer(200, { data, meta }, () => ({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(nowMs / 1000 + 3_600),
    }))(response, nowMs);
  },
};
const LATER = () => ({ "retry-after": "3600" });

describe("keeps reading the others of a host", () => {
  test.for([
    ["are told that their limit is used up", DRAINED],
    ["are asked to come back in an hour", { api: answer(503, { error: "unavailable" }, LATER) }],
    ["are refused with each new token", { api: answer(401, { error: "unauthorized" }) }],
    ["may not read", { api: answer(403, { error: "forbidden" }) }],
    ["get a dropped connection", { api: (response) => void response.destroy() }],
    ["get what isn't JSON", { api: answer(200, "{") }],
    [
      "can't get a token",
      {
        token: answer(401, { error: "invalid_client" }),
        api: answer(401, { error: "unauthorized" }),
      },
    ],
    [
      "are asked to get a token in an hour",
      {
        token: answer(503, { error: "unavailable" }, LATER),
        api: answer(401, { error: "unauthorized" }),
      },
    ],
  ] satisfies [string, HostFault][])("while two %s", async ([, fault], { db }) => {
    crowd = startCrowd({ clock, database: db.database, host, limits: LIMITS, count: 5 });
    const { slugs, snapshots } = crowd;
    const others = slugs.slice(2);
    await crowd.start();
    await crowd.pass(6 * MINUTE_MS);
    expect(crowd.missing()).toBe(0);

    host.fail(slugs.slice(0, 2), fault);
    await crowd.pass(6 * MINUTE_MS);
    let oldestMs = 0;
    await crowd.pass(15 * MINUTE_MS, () => {
      for (const slug of others)
        oldestMs = Math.max(oldestMs, snapshots.ageMs(slug) ?? Number.POSITIVE_INFINITY);
    });
    // They stay live.
    expect(oldestMs).toBeLessThan(2.5 * MINUTE_MS);
  });
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
