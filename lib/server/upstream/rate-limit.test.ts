import { describe, expect, it } from "vitest";
import { limitedForMs, readDateMs, readRateLimit } from "./rate-limit";

const NOW_MS = Date.parse("2026-03-04T05:06:07Z");
const date = (ms: number) => new Date(ms).toUTCString();
const reset = (ms: number) => String(ms / 1000);

describe("what time the API has", () => {
  it("is the date of its answer and how long a cache on the way has kept that, so that no clock stands still", () => {
    expect(readDateMs({ date: date(NOW_MS) })).toBe(NOW_MS);
    expect(readDateMs({ date: date(NOW_MS), age: "7200" })).toBe(NOW_MS + 7_200_000);
  });

  it.each(["", "-5", "soon", "1.5", "99999999999", "Infinity"])(
    "is its date alone with an age of %j",
    (age) => {
      expect(readDateMs({ date: date(NOW_MS), age })).toBe(NOW_MS);
    },
  );

  it("isn't known without a date", () => {
    expect(readDateMs({ age: "60" })).toBeNull();
  });
});

describe("how long a 429 makes us wait", () => {
  it("is until the reset by the API's clock, however far ours is off", () => {
    const apiMs = NOW_MS + 86_400_000;
    const headers = { date: date(apiMs), "x-ratelimit-reset": reset(apiMs + 30_000) };
    expect(limitedForMs(headers, NOW_MS)).toBe(30_000);
  });

  it("is the longer of reset and Retry-After", () => {
    const headers = { date: date(NOW_MS), "x-ratelimit-reset": reset(NOW_MS + 30_000) };
    expect(limitedForMs({ ...headers, "retry-after": "45" }, NOW_MS)).toBe(45_000);
    expect(limitedForMs({ ...headers, "retry-after": "5" }, NOW_MS)).toBe(30_000);
    expect(limitedForMs({ "retry-after": date(NOW_MS + 20_000) }, NOW_MS)).toBe(20_000);
  });

  it.each([
    ["nothing", {}],
    ["no number", { "x-ratelimit-reset": "soon", "retry-after": "later" }],
    ["a reset long past", { "x-ratelimit-reset": "1" }],
    ["a negative reset", { "x-ratelimit-reset": "-5" }],
  ])("is 60 s when the headers tell %s", (_, headers) => {
    expect(limitedForMs(headers, NOW_MS)).toBe(60_000);
  });

  it.each([
    ["in the year 2100", "4102444800"],
    ["in milliseconds", String(NOW_MS)],
  ])("is at most 120 s with a reset %s", (_, value) => {
    expect(limitedForMs({ "x-ratelimit-reset": value }, NOW_MS)).toBe(120_000);
  });

  it("is a second when the reset is over by the time it is read", () => {
    expect(limitedForMs({ "x-ratelimit-reset": reset(NOW_MS - 2_000) }, NOW_MS)).toBe(1_000);
  });
});

describe("the rate limit that is shown", () => {
  it("has its reset on our wall clock", () => {
    const apiMs = NOW_MS - 86_400_000;
    const headers = {
      date: date(apiMs),
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "12",
      "x-ratelimit-reset": reset(apiMs + 30_000),
    };
    expect(readRateLimit(headers, NOW_MS)).toEqual({
      limit: 60,
      remaining: 12,
      resetAtMs: NOW_MS + 30_000,
    });
  });

  it("is none unless all three headers make sense", () => {
    expect(readRateLimit({ "x-ratelimit-limit": "60" }, NOW_MS)).toBeNull();
    const broken = {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "many",
      "x-ratelimit-reset": "1",
    };
    expect(readRateLimit(broken, NOW_MS)).toBeNull();
  });
});
