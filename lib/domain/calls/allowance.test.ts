import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALLOWANCE_PERIODS, MAX_ALLOWED_CALLS, allowanceShare, allowedPerDay } from "./allowance";

const anyAllowance = fc.record({
  calls: fc.integer({ min: 1, max: MAX_ALLOWED_CALLS }),
  per: fc.constantFrom(...ALLOWANCE_PERIODS),
});

test("counts an hourly allowance as at most 24 of it in a day", () => {
  expect(allowedPerDay({ calls: 150, per: "hour" })).toBe(3600);
  expect(allowedPerDay({ calls: 3600, per: "day" })).toBe(3600);
});

describe("share of the allowance", () => {
  test("is a whole percentage of the daily calls", () => {
    expect(allowanceShare(1163, { calls: 1250, per: "day" })).toBe(93);
    expect(allowanceShare(1800, { calls: 150, per: "hour" })).toBe(50);
  });

  test("reaches 100 only at the allowance, and 0 only without calls", () => {
    fc.assert(
      fc.property(fc.nat(300_000_000), anyAllowance, (calls, allowance) => {
        const share = allowanceShare(calls, allowance);
        const most = allowedPerDay(allowance);
        expect(Math.sign(share - 100)).toBe(Math.sign(calls - most));
        expect(share === 0).toBe(calls === 0);
      }),
    );
  });

  test("never falls as calls rise", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), anyAllowance, (calls, more, allowance) => {
        expect(allowanceShare(calls + more, allowance)).toBeGreaterThanOrEqual(
          allowanceShare(calls, allowance),
        );
      }),
    );
  });
});
