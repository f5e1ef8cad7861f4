import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { measured } from "./measured";

const css = readFileSync("components/ui/measured.css", "utf8");
/** What each class adds to its sum. */
const digits = new Map(
  [...css.matchAll(/^\.([xy][a-e]\d) \{\s*--[xy][a-e]: ([\d.]+);/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]),
);

function sumOf(classes: string, slot: "x" | "y"): number {
  const own = classes.split(" ").filter((name) => name.startsWith(slot));
  return own.reduce((sum, name) => sum + (digits.get(name) ?? Number.NaN), 0);
}

test("the styles add up to the number, to a hundredth", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 999.99, noNaN: true }), (number) => {
      const classes = measured({ x: number, y: 7 });
      expect(Math.abs(sumOf(classes, "x") - number)).toBeLessThan(0.0051);
      expect(sumOf(classes, "y")).toBe(7);
    }),
  );
});

test("what is less than nothing is nothing, and what is too much is all there is", () => {
  expect(sumOf(measured({ x: -3 }), "x")).toBe(0);
  expect(sumOf(measured({ x: 1e9 }), "x")).toBeCloseTo(999.99);
});

test("an element begins with no digit of the one around it", () => {
  const reset = /\.measured \{([^}]*)\}/.exec(css)?.[1] ?? "";
  const begun = [...reset.matchAll(/--([xy][a-e]): 0;/g)].map(([, name]) => name);
  expect(begun).toEqual("xa xb xc xd xe ya yb yc yd ye".split(" "));
  expect(css.indexOf(".measured {")).toBeLessThan(css.indexOf(".xa1"));
});
