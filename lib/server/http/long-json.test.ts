import fc from "fast-check";
import { expect, test } from "vitest";
import { completed } from "@/lib/domain/steps";
import { longJson } from "./long-json";

test("is the text that JSON.stringify makes", () => {
  const names = fc.constantFrom("a", "b", "__proto__", 'quo"te', "7");
  fc.assert(
    fc.property(
      fc.dictionary(names, fc.jsonValue()),
      fc.array(fc.jsonValue()),
      fc.dictionary(names, fc.option(fc.jsonValue(), { nil: undefined })),
      (before, list, after) => {
        const view = { ...before, list, ...after };
        expect(completed(longJson(view, "list"))).toBe(JSON.stringify(view));
      },
    ),
  );
});
