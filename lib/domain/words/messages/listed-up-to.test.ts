import { expect, test } from "vitest";
import { listedUpTo } from "./listed-up-to";

test("names as many as are wanted, and counts the others", () => {
  expect(listedUpTo(2, ["drawings", "RFIs"])).toBe("drawings and RFIs");
  expect(listedUpTo(2, ["drawings", "RFIs", "timecards"])).toBe("drawings, RFIs and 1 more");
  const many = Array.from({ length: 1_002 }, () => "drawings");
  expect(listedUpTo(1, many)).toBe("drawings and 1,001 more");
});
