import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitCount, textWidthEm } from "./text-width";

describe("textWidthEm", () => {
  it("distinguishes wide letters, narrow letters and square scripts", () => {
    expect(textWidthEm("")).toBe(0);
    expect(textWidthEm("illi")).toBeLessThan(textWidthEm("mmmm"));
    expect(textWidthEm("同期")).toBe(2);
    expect(textWidthEm("🏗")).toBe(1);
    expect(textWidthEm("ab", "mono")).toBe(textWidthEm("il", "mono"));
  });
});

describe("fitCount", () => {
  const line = { lineWidth: 100, lines: 1, gap: 5, startWidth: 20, tailWidth: 30 };

  it("reserves no space for the tail when everything fits", () => {
    expect(fitCount([35, 35], line)).toBe(2);
  });

  it("reserves space for the tail when something is left out", () => {
    expect(fitCount([35, 35, 35], line)).toBe(1);
  });

  it("continues on the next line, where only the last reserves space for the tail", () => {
    expect(fitCount([70, 70, 60], { ...line, lines: 2 })).toBe(2);
    expect(fitCount([70, 65, 60], { ...line, lines: 3 })).toBe(3);
  });

  it("never exceeds the width of the lines", () => {
    const widths = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 30 });
    fc.assert(
      fc.property(widths, fc.integer({ min: 1, max: 3 }), (given, lines) => {
        const shown = given.slice(0, fitCount(given, { ...line, lines }));
        const used = line.startWidth + shown.reduce((sum, width) => sum + width, 0);
        expect(used).toBeLessThanOrEqual(lines * line.lineWidth);
        for (const width of shown) expect(width).toBeLessThanOrEqual(line.lineWidth);
      }),
    );
  });
});
