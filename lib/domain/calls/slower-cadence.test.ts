import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slowerCadences, type FeedUse } from "./slower-cadence";

const feed = (id: string, more: Partial<FeedUse> = {}): FeedUse => ({
  id,
  calls: 480,
  runs: 96,
  cadenceMinutes: 15,
  ...more,
});

const anyFeeds = fc.uniqueArray(
  fc.record({
    id: fc.string(),
    calls: fc.nat(1e6),
    runs: fc.option(fc.nat(1440)),
    cadenceMinutes: fc.option(fc.integer({ min: 0, max: 3000 })),
  }),
  { selector: ({ id }) => id },
);

describe("what a slower cadence frees", () => {
  test("is the calls of the runs that it leaves out", () => {
    expect(slowerCadences([feed("rfis")], 3)).toEqual([
      {
        id: "rfis",
        calls: 480,
        runs: 96,
        cadenceMinutes: 15,
        slowerMinutes: 30,
        slowerRuns: 48,
        frees: 240,
      },
    ]);
    // With fewer runs than planned it leaves out fewer.
    expect(slowerCadences([feed("rfis", { runs: 64 })], 3)[0]?.frees).toBe(120);
  });

  test("leaves out feeds whose runs or schedule aren't known, and those that free nothing", () => {
    const feeds = [
      feed("unseen", { runs: null }),
      feed("never", { runs: 0 }),
      feed("webhook", { cadenceMinutes: null }),
      feed("daily", { cadenceMinutes: 1440, runs: 1 }),
      feed("stuck", { runs: 48 }),
      feed("silent", { calls: 0 }),
    ];
    expect(slowerCadences(feeds, 9)).toEqual([]);
  });

  test("lists the largest first, up to a number", () => {
    const feeds = [feed("b", { calls: 100 }), feed("c"), feed("a", { calls: 100 })];
    expect(slowerCadences(feeds, 2).map(({ id }) => id)).toEqual(["c", "a"]);
  });

  test("never frees more than the calls there are, nor makes a cadence slower than a day", () => {
    fc.assert(
      fc.property(anyFeeds, fc.nat(5), (feeds, most) => {
        const all = slowerCadences(feeds, most);
        expect(all.length).toBeLessThanOrEqual(most);
        for (const { id, calls, cadenceMinutes, slowerMinutes, frees } of all) {
          expect(feeds.find((one) => one.id === id)).toMatchObject({ calls, cadenceMinutes });
          expect(frees).toBeGreaterThanOrEqual(1);
          expect(frees).toBeLessThan(calls);
          expect(slowerMinutes).toBeLessThanOrEqual(1440);
        }
      }),
    );
  });
});
