import { describe, expect, it } from "vitest";
import {
  drainedForMs,
  limitedForMs,
  unavailableForMs,
  readAgeMs,
  readDateMs,
  readRateLimit,
} from "./rate-limit";

const NOW_MS = Date.parse("2026-03-04T05:06:07Z");
const date = (ms: number) => new Date(ms).toUTCString();
const reset = (ms: number) => String(ms / 1000);

describe("readDateMs", () => {
  it("adds the time in an intermediate cache to the response's date", () => {
    expect(readDateMs({ date: date(NOW_MS) })).toBe(NOW_MS);
    expect(readDateMs({ date: date(NOW_MS), age: "7200" })).toBe(NOW_MS + 7_200_000);
  });

  it.each(["", "-5", "soon", "1.5", "99999999999", "9".repeat(400), "Infinity"])(
    "ignores an age of %j",
    (age) => {
      expect(readDateMs({ date: date(NOW_MS), age })).toBe(NOW_MS);
    },
  );

  it.each(["Wednesday, 04-Mar-26 05:06:07 GMT", "Wed Mar  4 05:06:07 2026"])(
    "reads the obsolete form %j",
    (text) => {
      expect(readDateMs({ date: text })).toBe(NOW_MS);
    },
  );

  it.each([
    "foo 12",
    "12",
    "Date: 5",
    "2026",
    "Wed, 04 Mar 2026 05:06:07 PST",
    "Fri, 31 Dec 9999 23:59:59 GMT",
  ])("takes %j for no date", (text) => {
    expect(readDateMs({ date: text })).toBeNull();
  });

  it("takes contradicting dates for none", () => {
    const [now, before] = [date(NOW_MS), date(NOW_MS - 86_400_000)];
    expect(readDateMs({ date: [now, now] })).toBe(NOW_MS);
    expect(readDateMs({ date: [now, before] })).toBeNull();
    expect(readDateMs({ date: [before, now] })).toBeNull();
  });

  it("returns null without a date", () => {
    expect(readDateMs({ age: "60" })).toBeNull();
  });
});

describe("readAgeMs", () => {
  it("takes an age that is no safe integer for a long one", () => {
    expect(readAgeMs({ age: "99999999999999999999" })).toBeGreaterThan(1e15);
    expect(readAgeMs({ age: "9".repeat(400) })).toBe(Infinity);
  });

  it.each([[["5", "500"]], [["500", "5"]], ["5, 500"], [["soon", "500, 5"]]])(
    "takes the greatest age of %j",
    (age) => {
      expect(readAgeMs({ age })).toBe(500_000);
    },
  );
});

describe("limitedForMs", () => {
  it("waits until the reset by the API clock, whatever our clock says", () => {
    const apiMs = NOW_MS + 86_400_000;
    const headers = { date: date(apiMs), "x-ratelimit-reset": reset(apiMs + 30_000) };
    expect(limitedForMs(headers, NOW_MS)).toBe(30_000);
  });

  it("uses the longer of reset and Retry-After", () => {
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
    ["text with a number", { "retry-after": "foo 12" }],
  ])("waits 60 s when the headers contain %s", (_, headers) => {
    expect(limitedForMs(headers, NOW_MS)).toBe(60_000);
  });

  it.each([
    ["in the year 2100", "4102444800"],
    ["in milliseconds", String(NOW_MS)],
  ])("waits at most 120 s for a reset %s", (_, value) => {
    expect(limitedForMs({ "x-ratelimit-reset": value }, NOW_MS)).toBe(120_000);
  });

  it("waits at most 120 s for more digits than a number has", () => {
    expect(limitedForMs({ "retry-after": "9".repeat(30) }, NOW_MS)).toBe(120_000);
  });

  it("waits one second when the reset has just passed", () => {
    expect(limitedForMs({ "x-ratelimit-reset": reset(NOW_MS - 2_000) }, NOW_MS)).toBe(1_000);
  });
});

describe("unavailableForMs", () => {
  it("waits as long as Retry-After says, within a second and 120 s", () => {
    expect(unavailableForMs({ "retry-after": "45" }, NOW_MS)).toBe(45_000);
    expect(unavailableForMs({ "retry-after": date(NOW_MS + 20_000) }, NOW_MS)).toBe(20_000);
    expect(unavailableForMs({ "retry-after": "0" }, NOW_MS)).toBe(1_000);
    expect(unavailableForMs({ "retry-after": "9".repeat(30) }, NOW_MS)).toBe(120_000);
  });

  it.each([
    ["no header", {}],
    ["no number", { "retry-after": "later" }],
    ["a date long past", { "retry-after": date(0) }],
    ["the reset of a rate limit", { "x-ratelimit-reset": reset(NOW_MS + 30_000) }],
  ])("knows no wait from %s", (_, headers) => {
    expect(unavailableForMs(headers, NOW_MS)).toBeNull();
  });
});

describe("readRateLimit", () => {
  it("converts the reset to our wall clock", () => {
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

  it("returns null unless all three headers are valid", () => {
    expect(readRateLimit({ "x-ratelimit-limit": "60" }, NOW_MS)).toBeNull();
    const broken = {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "many",
      "x-ratelimit-reset": "1",
    };
    expect(readRateLimit(broken, NOW_MS)).toBeNull();
  });
});

describe("drainedForMs", () => {
  it.each([
    { remaining: 7, resetInMs: 30_000, ms: 0, says: "nothing while more than a tenth remains" },
    { remaining: 6, resetInMs: 30_000, ms: 30_000, says: "until the reset" },
    { remaining: 0, resetInMs: 3_600_000, ms: 60_000, says: "a minute at most" },
    { remaining: 0, resetInMs: -5_000, ms: 0, says: "nothing after the reset" },
  ])("waits $says", ({ remaining, resetInMs, ms }) => {
    const rateLimit = { limit: 60, remaining, resetAtMs: NOW_MS + resetInMs };
    expect(drainedForMs(rateLimit, NOW_MS)).toBe(ms);
  });
});
