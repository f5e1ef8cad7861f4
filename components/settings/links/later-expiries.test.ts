import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { laterExpiries } from "./later-expiries";

const NOW_MS = Date.parse("2026-11-29T18:00:00Z");

test.each([
  { left: 0.5, offered: [1, 7, 30], usual: 7 },
  { left: 6, offered: [7, 30], usual: 7 },
  { left: 14, offered: [30], usual: 30 },
  { left: 30, offered: [], usual: undefined },
])("never shortens a link that expires in $left days", ({ left, offered, usual }) => {
  const later = laterExpiries(NOW_MS + left * DAY_MS, NOW_MS);
  expect(later.offered.map(({ days }) => days)).toEqual(offered);
  expect(later.usual?.days).toBe(usual);
});
