import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shareTexts } from "./shares";

describe("shareTexts", () => {
  test.each<[number[], string[]]>([
    [
      [25, 15],
      ["63%", "37%"],
    ],
    [
      [1, 1, 1],
      ["34%", "33%", "33%"],
    ],
    // Rounded down, these would add up to 91%.
    [
      [191, 190, 99, 98, 97, 96, 95, 67, 67],
      ["19%", "19%", "10%", "10%", "10%", "9%", "9%", "7%", "7%"],
    ],
    [[7], ["100%"]],
    [
      [7, 0],
      ["100%", "0%"],
    ],
    // Less than everything is never 100%.
    [
      [999, 1],
      ["99%", "<1%"],
    ],
    [
      [988, 4, 4, 4],
      ["99%", "<1%", "<1%", "<1%"],
    ],
    [
      [0, 0],
      ["", ""],
    ],
    [[], []],
  ])("formats %j as %j", (amounts, texts) => {
    expect(shareTexts(amounts)).toEqual(texts);
  });

  test("adds up to 100, is never off by a whole percent, and never shows a larger amount as less", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e6), { minLength: 1, maxLength: 40 }), (amounts) => {
        const whole = amounts.reduce((sum, amount) => sum + amount, 0);
        fc.pre(whole > 0);
        const texts = shareTexts(amounts);
        const written = texts.map((text) => (text === "<1%" ? null : Number.parseInt(text, 10)));
        const sum = written.reduce<number>((total, percent) => total + (percent ?? 0), 0);
        const small = amounts.filter((amount) => amount > 0 && 100 * amount < whole);
        if (small.length === 0) expect(sum).toBe(100);
        else expect(sum).toBeLessThan(100);
        const smallPercent = (100 * small.reduce((total, amount) => total + amount, 0)) / whole;
        expect(Math.abs(100 - sum - smallPercent)).toBeLessThan(1);
        for (const [at, amount] of amounts.entries()) {
          const percent = written[at];
          if (percent !== null && percent !== undefined)
            expect(Math.abs(percent - (100 * amount) / whole)).toBeLessThan(1);
          for (const [other, otherAmount] of amounts.entries())
            if (amount > otherAmount)
              expect(percent ?? 0.5).toBeGreaterThanOrEqual(written[other] ?? 0.5);
        }
      }),
    );
  });
});
