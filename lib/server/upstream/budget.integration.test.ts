import fc from "fast-check";
import pino from "pino";
import { afterAll, describe, expect } from "vitest";
import { checksPerWindow, rhythmOf } from "@/lib/server/collector/rhythm";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { budgetShares, createBudget, type Budget } from "./budget";
import { BookingLapsed } from "./spend";
import { isUpstreamFailure, UpstreamFailure } from "./upstream";

const START_MS = Date.parse("2026-03-04T05:06:07Z");
const LANES = ["background", "jobs", "people", "token"] as const;
type LaneName = (typeof LANES)[number];
/**
 * Small enough for short sequences to reach: 7 a minute are split into 4 and 3, and half of the 4 is reserved
 * for each lane.
 */
const CEILINGS: Readonly<Record<LaneName, number>> = {
  background: 2,
  jobs: 3,
  people: 3,
  token: 3,
};
const TOGETHER = 4;
const ALL = 7;

const test = databaseTest();
/** A second instance's connection to the same database. */
let second: Database;
let origins = 0;

test.beforeAll(async ({ db }) => {
  second = await openDatabase(db.database.connectionString, { log: pino({ level: "silent" }) });
});
afterAll(async () => {
  await second.close();
});

function instances(
  clock: ManualClock,
  databases: Database[],
  databaseNowMs = clock.nowMs,
): Budget[] {
  origins += 1;
  const origin = `http://upstream-${origins}.test`;
  return databases.map((database) =>
    createBudget({
      database,
      clock,
      random: () => 0,
      origin,
      requestsPerMinute: ALL,
      tokenRequestsPerMinute: 3,
      // Negative, so that jobs may use more than their reserved share.
      pollPagesPerWindow: () => -1,
      longestCoolDownMs: 120_000,
      databaseNowMs,
      // A busy machine must not let reservations lapse.
      realClock: clock,
    }),
  );
}

/** Sends unless the budget rejects it. */
async function trySend(budget: Budget, lane: LaneName, send: () => void): Promise<void> {
  await budget
    .spend(lane, false, () => Promise.resolve(send()))
    .catch((failure: unknown) => {
      if (!isUpstreamFailure(failure) || failure.reason !== "rate_limited") throw failure;
    });
}

/** The most requests in any 60 s. */
function densestMinute(atMs: number[]): number {
  return Math.max(
    0,
    ...atMs.map((start) => atMs.filter((at) => at >= start && at < start + 60_000).length),
  );
}

type Sent = Record<LaneName, number[]>;

/** Lanes and combinations of lanes that exceeded their limit in any 60 s. */
function excess(sent: Sent): string[] {
  const { background, jobs, people } = sent;
  const held: [string, number[], number][] = [
    ...LANES.map((name): [string, number[], number] => [name, sent[name], CEILINGS[name]]),
    ["background and jobs", [...background, ...jobs], TOGETHER],
    ["all but tokens", [...background, ...jobs, ...people], ALL],
  ];
  return held.filter(([, atMs, most]) => densestMinute(atMs) > most).map(([name]) => name);
}

const lane = fc.constantFrom(...LANES);
const pause = fc.oneof(fc.nat(5_000), fc.nat(70_000));

describe("lane limits in any 60 s", () => {
  test("hold for two instances on one database, whatever they send and when", async ({ db }) => {
    const step = fc.record({
      pauseMs: pause,
      burst: fc.array(fc.record({ instance: fc.nat(1), lane }), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const clock = createManualClock(START_MS);
        const budgets = instances(clock, [db.database, second]);
        const sent: Sent = { background: [], jobs: [], people: [], token: [] };
        for (const { pauseMs, burst } of steps) {
          await clock.advance(pauseMs);
          await Promise.all(
            burst.map((one) =>
              trySend(budgets[one.instance]!, one.lane, () =>
                sent[one.lane].push(clock.monotonicMs()),
              ),
            ),
          );
        }
        expect(excess(sent)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test("hold when the wall clock jumps", async ({ db }) => {
    const step = fc.record({
      pauseMs: pause,
      jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -200_000_000, max: 200_000_000 })),
      burst: fc.array(lane, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const clock = createManualClock(START_MS);
        const [budget] = instances(clock, [db.database]);
        const sent: Sent = { background: [], jobs: [], people: [], token: [] };
        for (const { pauseMs, jumpMs, burst } of steps) {
          await clock.advance(pauseMs);
          clock.jump(jumpMs);
          await Promise.all(
            burst.map((name) => trySend(budget!, name, () => sent[name].push(clock.monotonicMs()))),
          );
        }
        expect(excess(sent)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe("budget", () => {
  const send = () => Promise.resolve("sent");

  test("recovers one window after noticing that the clock went back by days", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const [budget] = instances(clock, [db.database]);
    for (let n = 0; n < 3; n += 1) await budget!.spend("people", false, send);
    clock.jump(-3 * 86_400_000);
    await clock.advance(63_000);
    await expect(budget!.spend("people", false, send)).rejects.toMatchObject({
      retryAtMs: clock.nowMs() + 63_000,
    });
    await clock.advance(63_000);
    expect(await budget!.spend("people", false, send)).toBe("sent");
  });

  test("keeps reservations of an earlier process", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const [before, restarted] = instances(clock, [db.database, second]);
    for (let n = 0; n < 3; n += 1) await before!.spend("token", false, send);
    await expect(restarted!.spend("token", false, send)).rejects.toMatchObject({
      reason: "rate_limited",
      retryAtMs: START_MS + 63_000,
    });
  });

  test("uses the database clock, so that an instance with a wrong clock shares it correctly", async ({
    db,
  }) => {
    const wrong = createManualClock(START_MS - 9 * 86_400_000);
    const right = createManualClock(START_MS);
    const [a] = instances(wrong, [db.database], right.nowMs);
    origins -= 1;
    const [b] = instances(right, [second], right.nowMs);
    await Promise.all([a!.spend("people", false, send), b!.spend("people", false, send)]);
    await a!.spend("people", false, send);
    await expect(a!.spend("people", false, send)).rejects.toThrow(UpstreamFailure);
    await expect(b!.spend("people", false, send)).rejects.toThrow(UpstreamFailure);
  });

  test("uses the real database clock by default", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const ceilings = {
      requestsPerMinute: 6,
      tokenRequestsPerMinute: 3,
      pollPagesPerWindow: () => 0,
      longestCoolDownMs: 120_000,
    };
    const [a, b] = [db.database, second].map((database) =>
      createBudget({ database, clock, random: () => 0, origin: "http://real.test", ...ceilings }),
    );
    await Promise.all([a!.spend("people", false, send), b!.spend("people", false, send)]);
    const refused = await a!.spend("people", false, send).catch((failure: unknown) => failure);
    const waitMs = ((refused as UpstreamFailure).retryAtMs ?? 0) - START_MS;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(63_000);
    // Each knows the number of its own last reservation; after two seconds it counts all of them.
    await clock.advance(2_000);
    expect((await b!.used()).used).toBe(2);
    await a!.limited({}, "api");
    await expect(b!.spend("background", true, send)).rejects.toThrow("rate limit holds");
    await a!.refused("client");
    expect(await b!.refusedForMs("client")).toBeGreaterThan(0);
  });

  test("separates the shares of background and user requests", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const [budget] = instances(clock, [db.database]);
    for (let n = 0; n < 2; n += 1) await budget!.spend("background", false, send);
    await expect(budget!.spend("background", false, send)).rejects.toThrow(UpstreamFailure);
    expect(await budget!.spend("people", false, send)).toBe("sent");
    for (let n = 0; n < 2; n += 1) await budget!.spend("jobs", false, send);
    await expect(budget!.spend("jobs", false, send)).rejects.toThrow(UpstreamFailure);
    expect(await budget!.used()).toEqual({ used: 5, limit: ALL });
  });

  test("leaves the last requests of the upstream's window to users", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const [budget] = instances(clock, [db.database]);
    await budget!.observe({
      date: new Date(START_MS).toUTCString(),
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "5",
      "x-ratelimit-reset": String(START_MS / 1000 + 30),
    });
    for (const name of ["background", "jobs"] as const) {
      await expect(budget!.spend(name, false, send)).rejects.toMatchObject({
        retryAtMs: START_MS + 30_000,
      });
    }
    expect(await budget!.spend("people", false, send)).toBe("sent");
    await clock.advance(30_000);
    expect(await budget!.spend("background", false, send)).toBe("sent");
  });

  test("reports whether our limit or the upstream's was reached", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const [budget] = instances(clock, [db.database]);
    for (let i = 0; i < CEILINGS.people; i += 1) await budget!.spend("people", false, send);
    await expect(budget!.spend("people", false, send)).rejects.toMatchObject({ isOurs: true });
    await budget!.observe({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "5",
      "x-ratelimit-reset": String(START_MS / 1000 + 30),
    });
    await expect(budget!.spend("background", false, send)).rejects.toMatchObject({
      isOurs: false,
    });
    await clock.advance(70_000);
    await budget!.limited({ "retry-after": "30" }, "api");
    await expect(budget!.spend("people", false, send)).rejects.toMatchObject({ isOurs: false });
  });

  test("ends a wait on shutdown", async ({ db }) => {
    const clock = createManualClock(START_MS);
    const stop = new AbortController();
    const budget = createBudget({
      database: db.database,
      clock,
      random: () => 0,
      origin: "http://stopping.test",
      requestsPerMinute: 2,
      tokenRequestsPerMinute: 1,
      pollPagesPerWindow: () => 0,
      longestCoolDownMs: 120_000,
      databaseNowMs: clock.nowMs,
      realClock: clock,
      signal: stop.signal,
    });
    await budget.spend("background", true, send);
    const waiting = budget.spend("background", true, send);
    await clock.untilSleeping();
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ reason: "unreachable" });
  });
});

describe("deferrable jobs", () => {
  /**
   * Runs a job that constantly sends requests, alongside polls of `pollPages` pages at their interval.
   * @returns how long each poll had to wait, and the number of job requests
   */
  async function compete(
    db: TestDatabase,
    minutes: number,
    requestsPerMinute: number,
    pollPages: number,
  ) {
    origins += 1;
    const clock = createManualClock(START_MS);
    const over = new AbortController();
    const { checkMs: rhythmMs } = rhythmOf({
      pages: [pollPages],
      pollSeconds: 60,
      pollsPerWindow: budgetShares(requestsPerMinute).polls,
    });
    const budget = createBudget({
      database: db.database,
      clock,
      random: () => 0.5,
      origin: `http://busy-${origins}.test`,
      requestsPerMinute,
      tokenRequestsPerMinute: 10,
      pollPagesPerWindow: () => pollPages * checksPerWindow({ checkMs: rhythmMs }),
      longestCoolDownMs: 120_000,
      databaseNowMs: clock.nowMs,
      realClock: clock,
      signal: over.signal,
    });
    const waitedMs: number[] = [];
    let jobs = 0;
    const job = async () => {
      while (!over.signal.aborted) {
        await budget.spend("jobs", true, () => Promise.resolve(void (jobs += 1)));
      }
    };
    const poll = async () => {
      for (let startMs = 0; !over.signal.aborted; startMs += rhythmMs) {
        await clock.sleep(startMs - clock.monotonicMs(), over.signal);
        for (let page = 0; page < pollPages; page += 1) {
          await budget.spend("background", true, () => Promise.resolve());
        }
        waitedMs.push(clock.monotonicMs() - startMs);
      }
    };
    const failures: unknown[] = [];
    const untilOver = (error: unknown) => void (over.signal.aborted || failures.push(error));
    const running = [job().catch(untilOver), poll().catch(untilOver)];
    while (clock.monotonicMs() < minutes * 60_000) {
      // Only when both sleep on the clock, rather than wait for the database.
      await clock.untilSleeping(2);
      await clock.advance(clock.sleeping()[0] ?? 0);
    }
    over.abort();
    await Promise.all(running);
    expect(failures).toEqual([]);
    return { waitedMs, jobs, rhythmMs };
  }

  test.for([
    [60, 1, 20_200, 34],
    [60, 5, 20_200, 18],
    [60, 9, 20_200, 2],
    [60, 12, 21_210, 2],
    [60, 30, 63_630, 8],
    [60, 38, 63_630, 2],
  ] as const)(
    "with %i requests and polls of %i pages, never delay polls and are never starved",
    { timeout: 60_000 },
    async ([requestsPerMinute, pollPages, expectedRhythmMs, jobsPerMinute], { db }) => {
      const { waitedMs, jobs, rhythmMs } = await compete(db, 6, requestsPerMinute, pollPages);
      expect(rhythmMs).toBe(expectedRhythmMs);
      expect(Math.max(...waitedMs)).toBeLessThanOrEqual(1_000);
      // The first minute isn't representative.
      expect(jobs).toBeGreaterThanOrEqual(jobsPerMinute * 5 * 0.9);
    },
  );

  test("alternate with polls when there is only one request a minute for both", async ({ db }) => {
    const { waitedMs, jobs, rhythmMs } = await compete(db, 60, 2, 1);
    expect(rhythmMs).toBe(127_260);
    expect(Math.max(...waitedMs)).toBeLessThan(70_000);
    expect(waitedMs.length).toBeGreaterThan(25);
    expect(jobs).toBeGreaterThan(20);
  });

  test.for([3, 5])(
    "share even %i requests a minute with polls",
    async (requestsPerMinute, { db }) => {
      const { waitedMs, jobs, rhythmMs } = await compete(db, 60, requestsPerMinute, 1);
      expect(Math.max(...waitedMs)).toBeLessThan(rhythmMs / 10);
      expect(jobs).toBeGreaterThan(20);
    },
  );
});

describe("reservation that is granted late", () => {
  test("is not sent, and the request waits for room again", async () => {
    const clock = createManualClock(START_MS);
    origins += 1;
    const origin = `http://upstream-${origins}.test`;
    let realMs = 0;
    const budget = createBudget({
      database: second,
      clock,
      random: () => 0,
      origin,
      requestsPerMinute: ALL,
      tokenRequestsPerMinute: 3,
      pollPagesPerWindow: () => 0,
      longestCoolDownMs: 120_000,
      databaseNowMs: clock.nowMs,
      realClock: { nowMs: () => START_MS + realMs, monotonicMs: () => realMs },
    });
    const sentAtMs: number[] = [];
    const send = () => Promise.resolve(void sentAtMs.push(clock.monotonicMs()));
    for (let i = 1; i < CEILINGS.people; i += 1) await budget.spend("people", false, send);
    const sending = budget.spend("people", true, async (booking) => {
      if (sentAtMs.length < CEILINGS.people && clock.monotonicMs() === 0) realMs += 3_000;
      if (!booking.holds()) throw new BookingLapsed("booking");
      await send();
    });
    // The late reservation still occupies its slot, so the next one comes at the end of the window.
    await clock.untilSleeping();
    expect(sentAtMs).toHaveLength(2);
    await clock.advance(70_000);
    await sending;
    expect(sentAtMs.at(-1)).toBeGreaterThan(60_000);
  });
});
