import { describe, expect, it } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createBatchedCache, RECHECK_MS } from "./batched-cache";

function setUp() {
  const clock = createManualClock(0);
  const values = new Map([
    ["a", { is: 1 }],
    ["b", { is: 2 }],
  ]);
  const reads: (readonly string[])[] = [];
  const warned: unknown[] = [];
  let wait: Promise<void> = Promise.resolve();
  let isAway = false;
  const cache = createBatchedCache({
    async read(keys) {
      reads.push(keys);
      const found = new Map(keys.map((key) => [key, { ...(values.get(key) ?? { is: 0 }) }]));
      await wait;
      if (isAway) throw new Error("away");
      return found;
    },
    what: "values",
    clock,
    log: {
      warn: (...line: unknown[]) => void warned.push(line),
      info: (line: unknown) => void warned.push(line),
    },
    most: 10,
  });
  const get = async (...keys: string[]) =>
    [...(await cache.get(keys.map((key) => ({ key, version: 1 })))).values()].map(({ is }) => is);
  return {
    cache,
    clock,
    values,
    reads,
    warned,
    get,
    hold: () => {
      let release = () => {};
      wait = new Promise((resolve) => (release = resolve));
      return () => {
        wait = Promise.resolve();
        release();
      };
    },
    away: (next: boolean) => (isAway = next),
  };
}

describe("a batched cache", () => {
  it("reads all outdated values in one call, and recent ones not at all", async () => {
    const { cache, get, reads } = setUp();
    expect(await get("a", "b")).toEqual([1, 2]);
    expect(cache.get([{ key: "b", version: 1 }])).toBeInstanceOf(Map);
    expect(await get("a", "c")).toEqual([1, 0]);
    expect(reads).toEqual([["a", "b"], ["c"]]);
  });

  it("shares a read among concurrent callers", async () => {
    const { get, reads } = setUp();
    expect(await Promise.all([get("a"), get("a", "b"), get("b")])).toEqual([[1], [1, 2], [2]]);
    expect(reads).toEqual([["a"], ["b"]]);
  });

  it("reads again after some time, for another version, and when told to forget", async () => {
    const { cache, clock, get, reads, values } = setUp();
    await get("a", "b");
    values.set("a", { is: 5 });
    expect(await get("a")).toEqual([1]);
    cache.forget("a");
    expect(await get("a", "b")).toEqual([5, 2]);
    await cache.get([{ key: "b", version: 2 }]);
    await clock.advance(RECHECK_MS);
    await get("a");
    cache.forget(null);
    await get("a");
    expect(reads).toEqual([["a", "b"], ["a"], ["b"], ["a"], ["a"]]);
  });

  it("returns the same object while a value is unchanged", async () => {
    const { cache, values } = setUp();
    const read = async () => (await cache.get([{ key: "a", version: 1 }])).get("a");
    const first = await read();
    cache.forget("a");
    expect(await read()).toBe(first);
    values.set("a", { is: 9 });
    cache.forget("a");
    expect(await read()).toEqual({ is: 9 });
  });

  it("doesn't keep what was read before a change", async () => {
    const { cache, get, hold, values } = setUp();
    const release = hold();
    const first = get("a");
    await Promise.resolve();
    values.set("a", { is: 7 });
    cache.forget("a");
    release();
    expect(await first).toEqual([7]);
    expect(await get("a")).toEqual([7]);
  });

  it("uses remembered values while the database is away, and fails without them", async () => {
    const { away, cache, clock, get, reads, values, warned } = setUp();
    await get("a");
    away(true);
    values.set("a", { is: 3 });
    cache.forget(null);
    expect(await get("a")).toEqual([1]);
    expect(await get("a")).toEqual([1]);
    expect(reads).toHaveLength(2);
    expect(warned).toHaveLength(1);
    await expect(get("a", "b")).rejects.toThrow("away");
    away(false);
    await clock.advance(1000);
    expect(await get("a", "b")).toEqual([3, 2]);
  });

  it("waits only briefly for values that are merely old", async () => {
    const { clock, get, hold } = setUp();
    await get("a");
    const release = hold();
    await clock.advance(RECHECK_MS);
    const slow = get("a");
    await clock.untilSleeping();
    await clock.advance(300);
    expect(await slow).toEqual([1]);
    release();
  });

  it("waits longer after a change, so that it is seen, but once only", async () => {
    const { cache, clock, get, hold, values } = setUp();
    await get("a");
    const release = hold();
    values.set("a", { is: 3 });
    cache.forget("a");
    const slow = get("a");
    await clock.untilSleeping();
    await clock.advance(300);
    release();
    expect(await slow).toEqual([3]);

    hold();
    cache.forget("a");
    const late = get("a");
    await clock.untilSleeping();
    await clock.advance(2000);
    expect(await late).toEqual([3]);
    expect(await get("a")).toEqual([3]);
  });

  it("fails as unavailable without a remembered value", async () => {
    const { clock, get, hold } = setUp();
    hold();
    const slow = get("a");
    const advanced = clock.untilSleeping().then(() => clock.advance(2000));
    await expect(slow).rejects.toMatchObject({ code: "unavailable" });
    await advanced;
  });
});
