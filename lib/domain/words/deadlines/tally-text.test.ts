import { expect, test } from "vitest";
import { tallyText } from "./tally-text";

test("promises are counted by how they stand, without those that are none", () => {
  expect(tallyText({ missed: 0, atRisk: 1, kept: 4 })).toBe("1 promise at risk, 4 kept");
  expect(tallyText({ missed: 2, atRisk: 1, kept: 0 })).toBe("2 promises missed, 1 at risk");
  expect(tallyText({ missed: 0, atRisk: 0, kept: 0 })).toBe("");
});
