import { expect, test } from "vitest";
import { refusal, removeDialog } from "./remove-demo-words";
import { demoWords } from "./words";

test("says how much of what is seen is invented", () => {
  expect(demoWords(["A", "B", "C"], false)).toEqual({
    lead: "This is demo data.",
    sentence:
      "Three invented customers, served by Plumbline itself. Nothing here reaches a real partner.",
  });
  expect(demoWords(["A"], false).sentence).toMatch(/^One invented customer, served/);
  expect(demoWords(["A", "B"], true)).toEqual({
    lead: "Some of this is demo data.",
    sentence: "A and B are invented customers, served by Plumbline itself.",
  });
  expect(demoWords(["A"], true).sentence).toMatch(/^A is an invented customer, served/);
});

test("names what is deleted, and never claims that a request without a response failed", () => {
  expect(removeDialog.goes(["A", "B"])).toMatch(/^This deletes A and B with their whole history/);
  expect(refusal(0)).toContain("Reload the page to see whether");
  expect(refusal(404)).toContain("already removed");
  expect(refusal(500)).toBe("Couldn’t remove the demo. Try again.");
});
