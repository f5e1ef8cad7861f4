import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { answerCache } from "./answer-cache";
import { AHEAD_MS, ANSWER_MS, createReadAhead, noteRead } from "./read-ahead";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
let owner: object;
let clock: ManualClock;
let job: ReturnType<typeof createReadAhead>;
let refreshed: string[];
beforeEach(() => {
  owner = {};
  clock = createManualClock(NOW_MS);
  refreshed = [];
  job = createReadAhead({ owner, clock, log: pino({ level: "silent" }) });
});
afterEach(() => job.stop());

const note = (key: string, refresh = async () => void refreshed.push(key)) =>
  noteRead(owner, key, { readMs: clock.nowMs(), refresh });

async function pass(ms: number): Promise<void> {
  await clock.untilSleeping();
  await clock.advance(ms);
  await clock.untilSleeping();
}

describe("answers read lately", () => {
  test("are refreshed once per period, shortly before it ends", async () => {
    note("a");
    note("b");
    job.start();
    await pass(ANSWER_MS - AHEAD_MS - 1);
    expect(refreshed).toEqual([]);
    await pass(1);
    expect(refreshed).toEqual(["a", "b"]);
    await pass(ANSWER_MS);
    expect(refreshed).toEqual(["a", "b", "a", "b"]);
  });

  test("are no longer refreshed ten minutes after they were last read", async () => {
    note("a");
    job.start();
    await pass(9 * MINUTE_MS);
    const before = refreshed.length;
    expect(before).toBeGreaterThan(0);
    note("b");
    for (let minutes = 0; minutes < 9; minutes += 1) await pass(MINUTE_MS);
    expect(refreshed.slice(before + 1)).not.toContain("a");
    expect(refreshed.filter((key) => key === "b").length).toBeGreaterThanOrEqual(4);
  });

  test("are forty at most, the latest, and each is refreshed whatever happens to another", async () => {
    note("fails", () => Promise.reject(new Error("away")));
    for (let n = 0; n < 60; n += 1) note(`k${n}`);
    note("fails", () => Promise.reject(new Error("away")));
    note("last");
    job.start();
    await pass(ANSWER_MS);
    expect(refreshed).toHaveLength(39);
    expect([refreshed[0], refreshed.at(-1)]).toEqual(["k22", "last"]);
  });
});

test("requests get the present answer until the next one is computed", async () => {
  const cached = answerCache<string>("ahead 1", 10, 10);
  const fail = () => Promise.reject(new Error("must not be computed"));
  await cached.ahead(owner, "northgate", "a", "1", fail);
  await cached(owner, "northgate", "a", "1", async () => "first");
  let compute: ((answer: string) => void) | undefined;
  const computed = new Promise<string>((resolve) => (compute = resolve));
  const given: (string | null)[] = [];
  const refreshing = cached.ahead(owner, "northgate", "a", "2", (before) => {
    given.push(before);
    return computed;
  });
  expect(await cached(owner, "northgate", "a", "1", fail)).toBe("first");
  compute?.("second");
  await refreshing;
  expect(given).toEqual(["first"]);
  expect(await cached(owner, "northgate", "a", "2", fail)).toBe("second");
});

test("an answer computed ahead is kept until its time by requests for the present one", async () => {
  const cached = answerCache<string>("ahead 2", 10, 10);
  const computed: string[] = [];
  const ask = (version: string) =>
    cached(owner, "northgate", "a", version, async () => {
      computed.push(version);
      return version;
    });
  await ask("1");
  await cached.ahead(owner, "northgate", "a", "2", async () => "2");
  expect([await ask("1"), await ask("2"), await ask("2")]).toEqual(["2", "2", "2"]);
  expect(computed).toEqual(["1"]);
  expect(await ask("3")).toBe("3");
});
