import { describe, expect, test } from "vitest";
import { seriesOf } from "./series";

describe("the series of a schedule file", () => {
  test.each([
    ["Tower A, rev 12.xer", "tower a, Rev. 13.xer"],
    ["lot 3, look-ahead wk 43.xml", "lot 3, look-ahead wk 44.xml"],
    ["portal, rev 9 (issued).xml", "portal,  rev 10 (issued).xml"],
    ["Programme 2026-02-28.mpp", "Programme 2026-03-31.mpp"],
    ["Programme_20260228.mpp", "Programme_20260331.mpp"],
    ["Masterplan v2.1.xer", "Masterplan v3.xer"],
    ["agreed.xer", "Agreed.xer"],
  ])("has %s and %s", (one, other) => {
    expect(seriesOf(one)).toBe(seriesOf(other));
  });

  test.each([
    ["Tower A, rev 12.xer", "Tower B, rev 13.xer"],
    ["lot 3.xml", "lot 4.xml"],
    ["lot 3, rev 1.xml", "lot 4, rev 2.xml"],
    ["rev 12 (issued).xer", "rev 13.xer"],
    ["look-ahead wk 43.xml", "rev 43.xml"],
    ["Tower4 2.xer", "Tower5 2.xer"],
    ["pier 12.xer", "pier 13.xer"],
  ])("hasn't both %s and %s", (one, other) => {
    expect(seriesOf(one)).not.toBe(seriesOf(other));
  });
});
