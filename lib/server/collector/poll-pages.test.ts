import { expect, test } from "vitest";
import { pollPagesPerWindow } from "./poll-pages";
import type { CompanySnapshot, Snapshots } from "./snapshots";

function known(pages: Record<string, number>) {
  const get: Snapshots["get"] = (company) => {
    const totalPages = pages[company];
    return totalPages === undefined
      ? null
      : ({ company, state: { totalPages }, rows: [] } as unknown as CompanySnapshot);
  };
  return { get };
}
const polling = { pollSeconds: 60, pollsPerWindow: 38 };

test("counts whole checks within a window, over all companies", () => {
  const snapshots = known({ a: 5, b: 1, c: 3, d: 30 });
  // 63 s contain the starts of four checks of 20.2 s each, ...
  expect(pollPagesPerWindow(snapshots, ["a"], polling)).toBe(20);
  // ... three of 21.21 s, one of 64.64 s, and one of an hour.
  expect(pollPagesPerWindow(snapshots, ["a", "b", "c"], polling)).toBe(27);
  expect(pollPagesPerWindow(snapshots, ["a", "b", "c", "d"], polling)).toBe(39);
  expect(pollPagesPerWindow(snapshots, ["a"], { ...polling, pollSeconds: 3_600 })).toBe(5);
  expect(pollPagesPerWindow(snapshots, [], polling)).toBe(0);
});

test("counts a page for an empty list, and assumes the worst for an unknown one", () => {
  const snapshots = known({ a: 0 });
  expect(pollPagesPerWindow(snapshots, ["a"], { ...polling, pollsPerWindow: 1 })).toBe(1);
  expect(pollPagesPerWindow(snapshots, ["a", "new"], polling)).toBe(Infinity);
});
