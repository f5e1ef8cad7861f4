import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentShares } from "./shares";

describe("percentShares", () => {
  test.each<[number[], number[] | null]>([
    [
      [25, 15],
      [62.5, 37.5],
    ],
    [
      [1, 1, 1],
      [33.4, 33.3, 33.3],
    ],
    [
      [7, 0],
      [100, 0],
    ],
    // Rounded down, these would add up to 99.9%.
    [
      [2, 1],
      [66.7, 33.3],
    ],
    [[0, 0], null],
    [[], null],
  ])("divides %j into %j", (amounts, shares) => {
    expect(percentShares(amounts)).toEqual(shares);
  });

  test("adds up to 100.0, is never off by a tenth, and never shows a larger amount as less", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e6), { minLength: 1, maxLength: 40 }), (amounts) => {
        const whole = amounts.reduce((sum, amount) => sum + amount, 0);
        fc.pre(whole > 0);
        const shares = percentShares(amounts) ?? [];
        const tenths = shares.map((share) => Math.round(share * 10));
        expect(tenths.reduce((sum, share) => sum + share, 0)).toBe(1000);
        for (const [at, amount] of amounts.entries()) {
          const share = shares[at] ?? -1;
          expect(Math.abs(share - (100 * amount) / whole)).toBeLessThan(0.1 + 1e-9);
          for (const [other, otherAmount] of amounts.entries())
            if (amount > otherAmount) expect(share).toBeGreaterThanOrEqual(shares[other] ?? 0);
        }
      }),
    );
  });
});
