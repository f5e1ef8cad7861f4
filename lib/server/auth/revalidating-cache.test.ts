import { describe, expect, it } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createSecurityLog } from "@/lib/server/security-log";
import { createLog } from "@/lib/server/log";
import { createRevalidatingCache, RECHECK_MS } from "./revalidating-cache";

function setUp(mostAtOnce: number) {
  const clock = createManualClock(0);
  const valid = new Set(["a", "b", "c"]);
  const reads: string[][] = [];
  let wait: Promise<void> = Promise.resolve();
  const cache = createRevalidatingCache({
    async read(ids) {
      reads.push(ids.toSorted());
      const found = ids.filter((id) => valid.has(id));
      await wait;
      return new Map(found.map((id) => [id, { id, lastsMs: 3_600_000 }]));
    },
    what: "sessions",
    clock,
    securityLog: createSecurityLog({ clock, log: createLog("silent") }),
    mostAtOnce,
  });
  const states = async (...ids: string[]) => {
    const checked = await Promise.all(ids.map(async (id) => cache.check(id)));
    return checked.map(({ state }) => state);
  };
  return {
    cache,
    clock,
    valid,
    reads,
    states,
    hold: () => {
      let release = () => {};
      wait = new Promise((resolve) => (release = resolve));
      return () => release();
    },
  };
}

describe("reading ahead", () => {
  it("reads the rows of all active clients in one query", async () => {
    const { clock, reads, states } = setUp(500);
    await states("a", "b", "c");
    reads.length = 0;
    for (let second = 1; second <= 30; second += 1) {
      await clock.advance(1_000);
      expect(await states("a", "b", "c")).toEqual(["known", "known", "known"]);
    }
    expect(reads.length).toBeLessThanOrEqual(30_000 / RECHECK_MS);
    expect(reads.every((ids) => ids.length === 3)).toBe(true);
  });

  it("leaves out clients that are gone, and rows that were read just now", async () => {
    const { clock, reads, states } = setUp(500);
    await states("a", "b");
    await clock.advance(31_000);
    await states("c");
    await clock.advance(1_000);
    reads.length = 0;
    // The last request for "b" was too long ago, the row of "c" is a second old.
    await states("a");
    expect(reads).toEqual([["a"]]);
  });

  it("reads one row per query where that is the maximum", async () => {
    const { clock, reads, states } = setUp(1);
    await states("a", "b", "c");
    await clock.advance(RECHECK_MS);
    reads.length = 0;
    await states("a");
    expect(reads).toEqual([["a"]]);
  });

  it("notices a revocation as soon as without it", async () => {
    const { clock, valid, states } = setUp(500);
    await states("a", "b");
    await clock.advance(RECHECK_MS);
    await states("a");
    valid.delete("b");
    await clock.advance(RECHECK_MS - 1);
    expect(await states("b")).toEqual(["known"]);
    await clock.advance(1);
    expect(await states("b")).toEqual(["unknown"]);
  });

  it("doesn't cache rows that were forgotten while they were read", async () => {
    const { cache, clock, valid, states, hold } = setUp(500);
    await states("a", "b");
    await clock.advance(RECHECK_MS);
    const release = hold();
    const checked = states("a");
    valid.delete("b");
    cache.forget("b");
    release();
    expect(await checked).toEqual(["known"]);
    expect(await states("b")).toEqual(["unknown"]);
  });
});
