import { describe, expect } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { readClocks } from "./clock-agreement";

const test = freshDatabaseTest();

/**
 * @param heard by company: its host, how far its API is ahead of PostgreSQL's clock, and how long ago it responded
 * @returns minutes that the agreed time is ahead of PostgreSQL's clock; null: none is agreed
 */
async function agreedMinutes(
  { db }: { db: TestDatabase },
  heard: readonly { host: string; aheadMs: number; agoMs?: number }[],
  ourAheadMs = 0,
) {
  // PostgreSQL uses the machine's clock.
  const nowMs = Date.now();
  const clock = createManualClock(nowMs + ourAheadMs);
  await clock.advance(2 * HOUR_MS);
  clock.jump(-2 * HOUR_MS);
  const steadyMs = clock.monotonicMs();
  const clocks = await readClocks({
    database: db.database,
    clock,
    companies: heard.map(({ host, aheadMs, agoMs = 0 }) => ({
      host,
      apiClock: { aheadMs: nowMs + aheadMs - steadyMs, receivedMs: steadyMs - agoMs },
    })),
  });
  if (clocks === null || clocks.agreedMs === null) return null;
  return Math.round((clocks.agreedMs - nowMs) / MINUTE_MS);
}

describe("the agreed time", () => {
  test("is the earliest of clocks that differ by less than an hour", async ({ db }) => {
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: 30 * MINUTE_MS }])).toBe(0);
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: -30 * MINUTE_MS }])).toBe(-30);
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: 0 }], -20 * MINUTE_MS)).toBe(-20);
  });

  test("isn't known while ours or the only API's differs", async ({ db }) => {
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: 120 * DAY_MS }])).toBeNull();
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: 0 }], 120 * DAY_MS)).toBeNull();
    expect(
      await agreedMinutes({ db }, [{ host: "a", aheadMs: 120 * DAY_MS }], 120 * DAY_MS),
    ).toBeNull();
  });

  test("needs an API that responded within the hour", async ({ db }) => {
    expect(await agreedMinutes({ db }, [])).toBeNull();
    expect(
      await agreedMinutes({ db }, [{ host: "a", aheadMs: 0, agoMs: 61 * MINUTE_MS }]),
    ).toBeNull();
    expect(await agreedMinutes({ db }, [{ host: "a", aheadMs: 0, agoMs: 59 * MINUTE_MS }])).toBe(0);
  });

  test("needs half of the hosts, whatever the others say", async ({ db }) => {
    const right = { host: "right", aheadMs: -MINUTE_MS };
    const [behind, ahead] = [
      { host: "behind", aheadMs: -3 * HOUR_MS },
      { host: "ahead", aheadMs: 120 * DAY_MS },
    ];
    expect(await agreedMinutes({ db }, [right, ahead])).toBe(-1);
    expect(await agreedMinutes({ db }, [behind, right])).toBe(-1);
    expect(await agreedMinutes({ db }, [right, behind, ahead])).toBeNull();
  });

  test("counts a host once, by its latest response", async ({ db }) => {
    const right = { host: "right", aheadMs: 0 };
    const wrong = { host: "wrong", aheadMs: 3 * HOUR_MS };
    expect(await agreedMinutes({ db }, [wrong, wrong, wrong, right])).toBe(0);
    const before = { host: "right", aheadMs: 3 * HOUR_MS, agoMs: MINUTE_MS };
    expect(await agreedMinutes({ db }, [before, right])).toBe(0);
    expect(await agreedMinutes({ db }, [right, before])).toBe(0);
  });
});
