import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { WINDOW_MS, budgetShares } from "@/lib/server/upstream/budget";
import {
  createSteadyRhythm,
  checksPerWindow,
  rhythmOf,
  spreadOut,
  type Rhythm,
  type RhythmGiven,
} from "./rhythm";
import { MINUTE_MS } from "@/lib/domain/time/units";

const pollsPerWindow = budgetShares(60).polls;
/** @param pages of each company */
const rhythm = (pages: readonly number[], more: Partial<RhythmGiven> = {}) =>
  rhythmOf({ pages, pollSeconds: 60, pollsPerWindow, ...more });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const someHost = fc.record({
  pages: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 60 }),
  pollSeconds: fc.integer({ min: 1, max: 3600 }),
  pollsPerWindow: fc.oneof(fc.constant(0.5), fc.integer({ min: 1, max: 400 })),
});

describe("rhythmOf", () => {
  it.each([
    // Four checks of nine pages plus one page of files fit into 38; four of ten don't.
    [[1], 20_200, 60],
    [[9], 20_200, 60],
    [[10], 21_210, 60],
    [[12], 21_210, 60],
    [[13], 31_815, 60],
    [[18], 31_815, 60],
    [[19], 60_600, 60],
    [[38], 63_630, 63],
    [[76], 127_260, 126],
    [[1, 1, 1], 20_200, 60],
    // Each company's files need one page too.
    [Array.from({ length: 7 }, () => 1), 20_200, 60],
    [Array.from({ length: 9 }, () => 1), 21_210, 60],
    [Array.from({ length: 10 }, () => 1), 31_815, 60],
    [Array.from({ length: 13 }, () => 1), 60_600, 60],
    [Array.from({ length: 50 }, () => 10), 837_237, 829],
    [[0], 20_200, 60],
  ])(
    "for companies with %j pages is a check every %i ms, counted in polls of %i s",
    (pages, checkMs, seconds) => {
      expect(rhythm(pages)).toEqual({ checkMs, rhythmSeconds: seconds });
    },
  );

  it.each([
    [1, 1_010],
    [3, 1_010],
    [6, 2_020],
    [3600, 1_212_000],
  ])("for polls of %i s is a third of one, at least a second", (pollSeconds, checkMs) => {
    expect(rhythm([1], { pollSeconds, pollsPerWindow: 9_998 }).checkMs).toBe(checkMs);
  });

  it("makes three checks outlast the API's one-minute cache", () => {
    for (const pages of [1, 9, 10, 12]) {
      const lastMs = 3 * rhythm([pages]).checkMs;
      expect(lastMs).toBeGreaterThan(60_300);
      expect(lastMs).toBeLessThan(64_000);
    }
  });

  test("leaves deferrable jobs a page per company when there is more than one check per poll", () => {
    fc.assert(
      fc.property(someHost, (given) => {
        const { checkMs } = rhythmOf(given);
        const total = sum(given.pages.map((count) => Math.max(1, count)));
        const isQuick = checkMs < given.pollSeconds * 1000;
        // One check per poll may need the whole share of polls.
        const share = given.pollsPerWindow - (isQuick ? given.pages.length : 0);
        // Longer lists take the whole share, over more than one window.
        expect(total > share || checksPerWindow({ checkMs }) * total <= share).toBe(true);
      }),
    );
  });

  test("never exceeds the counted checks per window, or three checks per poll", () => {
    fc.assert(
      fc.property(someHost, (given) => {
        const { checkMs, rhythmSeconds } = rhythmOf(given);
        expect((checksPerWindow({ checkMs }) - 1) * checkMs).toBeLessThan(WINDOW_MS);
        expect(checksPerWindow({ checkMs }) * checkMs).toBeGreaterThanOrEqual(WINDOW_MS);
        expect(checkMs * 3).toBeGreaterThan(given.pollSeconds * 1000);
        expect(rhythmSeconds).toBeGreaterThanOrEqual(given.pollSeconds);
        // Confidence is never counted in less than the time between two checks.
        expect(checkMs).toBeLessThanOrEqual(rhythmSeconds * 1010 + 1);
      }),
    );
  });

  test("never shortens with more pages or companies", () => {
    fc.assert(
      fc.property(someHost, fc.nat(20), (given, more) => {
        const { checkMs } = rhythmOf(given);
        const [first = 0, ...others] = given.pages;
        const longer = rhythmOf({ ...given, pages: [first + more, ...others] });
        const another = rhythmOf({ ...given, pages: [...given.pages, 1] });
        expect(longer.checkMs).toBeGreaterThanOrEqual(checkMs);
        expect(another.checkMs).toBeGreaterThanOrEqual(checkMs);
      }),
    );
  });
});

describe("createSteadyRhythm", () => {
  const quick = rhythm([9]);
  const slow = rhythm([10]);

  it("slows down at once, and speeds up after five minutes with room", () => {
    const steady = createSteadyRhythm(60);
    expect(steady.keep(quick, 0)).toEqual(quick);
    expect(steady.keep(slow, 1_000)).toEqual(slow);
    expect(steady.keep(quick, 2_000)).toEqual(slow);
    expect(steady.keep(quick, 2_000 + 5 * MINUTE_MS - 1)).toEqual(slow);
    expect(steady.keep(quick, 2_000 + 5 * MINUTE_MS)).toEqual(quick);
  });

  it("doesn't oscillate with a list that grows and shrinks by a page", () => {
    const steady = createSteadyRhythm(60);
    let changes = 0;
    let last: Rhythm | null = null;
    for (let atMs = 0; atMs < 60 * MINUTE_MS; atMs += 20_000) {
      const kept = steady.keep(Math.floor(atMs / 200_000) % 2 === 0 ? quick : slow, atMs);
      if (last !== null && kept.checkMs !== last.checkMs) changes += 1;
      last = kept;
    }
    expect(changes).toBe(1);
  });

  it("checks once per poll for five minutes after a rate limit", () => {
    const steady = createSteadyRhythm(60);
    steady.keep(quick, 0);
    steady.limited();
    expect(steady.keep(quick, 0)).toEqual({ checkMs: 60_600, rhythmSeconds: 60 });
    steady.limited();
    expect(steady.keep(quick, 4 * MINUTE_MS).checkMs).toBe(60_600);
    expect(steady.keep(quick, 9 * MINUTE_MS)).toEqual(quick);
  });

  it("keeps an interval longer than a poll after a rate limit", () => {
    const steady = createSteadyRhythm(60);
    const slower = rhythm([76]);
    steady.keep(slower, 0);
    steady.limited();
    expect(steady.keep(slower, 1)).toEqual(slower);
  });
});

describe("spreadOut", () => {
  /** Simulated checks of companies that all start at once, by company; some fail and wait for a whole poll. */
  function looks(companies: number, failsAt: (look: number, company: number) => boolean) {
    const host = rhythm(Array.from({ length: companies }, () => 1));
    const next = Array.from({ length: companies }, (_, company) => company);
    const starts = next.map((): number[] => []);
    for (let look = 0; look < companies * 30; look += 1) {
      const company = next.indexOf(Math.min(...next));
      const startedMs = next[company] ?? 0;
      starts[company]?.push(startedMs);
      const waitMs = failsAt(look, company) ? 60_000 : host.checkMs;
      const others = next.filter((_, other) => other !== company);
      next[company] = spreadOut(startedMs + waitMs, others, host);
    }
    return { starts, checkMs: host.checkMs };
  }

  it.each([2, 3, 7, 9, 30])(
    "quickly spreads %i companies evenly, each at the interval",
    (count) => {
      const { starts, checkMs } = looks(count, () => false);
      const steady = starts.map((of) => of.filter((atMs) => atMs > 3 * checkMs));
      const all = steady.flat().toSorted((a, b) => a - b);
      const gaps = all.slice(1).map((atMs, at) => atMs - (all[at] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThan((0.85 * checkMs) / count);
      for (const of of steady) {
        for (const [at, atMs] of of.slice(1).entries())
          expect(atMs - (of[at] ?? 0)).toBeCloseTo(checkMs);
      }
    },
  );

  it("never shortens the interval, and adds at most one other check's time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }),
        (count, failures) => {
          const { starts, checkMs } = looks(count, (look) => failures[look] ?? false);
          for (const of of starts) {
            for (const [at, atMs] of of.slice(1).entries()) {
              const gapMs = atMs - (of[at] ?? 0);
              expect(gapMs).toBeGreaterThanOrEqual(checkMs - 1);
              expect(gapMs).toBeLessThan(60_000 + checkMs);
            }
          }
        },
      ),
    );
  });
});
