import fc from "fast-check";
import { expect, test } from "vitest";
import { completed, type Steps } from "@/lib/domain/steps";
import { longJson } from "./long-json";

const textOf = (steps: Steps<Uint8Array>) => new TextDecoder().decode(completed(steps));

const names = fc.constantFrom("a", "b", "__proto__", 'quo"te', "7", "é");
const others = () => fc.dictionary(names, fc.option(fc.jsonValue(), { nil: undefined }));

test("is the text that JSON.stringify makes", () => {
  fc.assert(
    fc.property(others(), fc.array(fc.jsonValue()), others(), (before, list, after) => {
      const view = { ...before, list, ...after };
      expect(textOf(longJson(view, "list"))).toBe(JSON.stringify(view));
    }),
  );
});

test("is that text when lists of the list's items are long too", () => {
  const item = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(others(), fc.option(fc.array(fc.jsonValue()), { nil: undefined }), others())
      .map(([before, inner, after]) => ({ ...before, inner, ...after })),
  );
  fc.assert(
    fc.property(others(), fc.array(item), others(), (before, list, after) => {
      const view = { ...before, list, ...after };
      expect(textOf(longJson(view, "list", "inner"))).toBe(JSON.stringify(view));
    }),
  );
});

test("is that text when it is long, and pauses before each item of both lists", () => {
  const inner = Array.from({ length: 500 }, (_, n) => ({ n, text: "naïve 日本 ".repeat(8) }));
  const view = { list: Array.from({ length: 20 }, (_, n) => ({ n, inner })), last: true };
  let steps = 0;
  const counted = (function* () {
    const all = longJson(view, "list", "inner");
    for (;;) {
      const step = all.next();
      if (step.done === true) return step.value;
      steps += 1;
      yield;
    }
  })();
  expect(textOf(counted)).toBe(JSON.stringify(view));
  expect(steps).toBeGreaterThan(20 * 500);
});
