import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limit";

const START_MS = 1_700_000_000_900;
const START_SECONDS = 1_700_000_000;

test("starts a window at the full second of the first request and lasts a minute", () => {
  const limiter = createRateLimiter(2);
  const taken = [0, 10, 20].map((ms) => limiter.take("a", START_MS + ms));
  expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(new Set(taken.map((decision) => decision.resetAtSeconds))).toEqual(
    new Set([START_SECONDS + 60]),
  );
  expect(limiter.take("a", (START_SECONDS + 60) * 1000 - 1).allowed).toBe(false);
  expect(limiter.take("a", (START_SECONDS + 60) * 1000)).toEqual({
    allowed: true,
    limit: 2,
    remaining: 1,
    resetAtSeconds: START_SECONDS + 120,
  });
});

test("has one window per address", () => {
  const limiter = createRateLimiter(1);
  expect(limiter.take("a", START_MS).allowed).toBe(true);
  expect(limiter.take("b", START_MS).allowed).toBe(true);
  expect(limiter.take("a", START_MS).allowed).toBe(false);
});

test("opens a new window after the clock was set back, instead of blocking every client", () => {
  const limiter = createRateLimiter(1);
  limiter.take("a", START_MS);
  expect(limiter.take("a", START_MS - 86_400_000).allowed).toBe(true);
});

test("limits its memory for many addresses, and still limits the recent ones", () => {
  const limiter = createRateLimiter(1);
  for (let index = 0; index < 60_000; index += 1) limiter.take(`a${index}`, START_MS);
  expect(limiter.take("a59999", START_MS).allowed).toBe(false);
  expect(limiter.take("a0", START_MS).allowed).toBe(true);
});
