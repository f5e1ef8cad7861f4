import { expect, test } from "vitest";
import { pollPagesPerWindow } from "./poll-pages";
import type { CompanySnapshot, Snapshots } from "./snapshots";

function known(states: Record<string, { totalPages: number; rhythmSeconds: number }>) {
  const get: Snapshots["get"] = (company) => {
    const state = states[company];
    return state === undefined
      ? null
      : ({ company, state, rows: [] } as unknown as CompanySnapshot);
  };
  return { get };
}

test("polls within a window count whole, those of all companies together", () => {
  const snapshots = known({
    // 63 s hold two begins of 60 s, 7 of 10 s and one of an hour.
    a: { totalPages: 5, rhythmSeconds: 60 },
    b: { totalPages: 1, rhythmSeconds: 10 },
    c: { totalPages: 3, rhythmSeconds: 3_600 },
  });
  expect(pollPagesPerWindow(snapshots, ["a"])).toBe(10);
  expect(pollPagesPerWindow(snapshots, ["a", "b", "c"])).toBe(20);
  expect(pollPagesPerWindow(snapshots, [])).toBe(0);
});

test("an empty list is asked for too, and of an unknown one the worst is expected", () => {
  const snapshots = known({ a: { totalPages: 0, rhythmSeconds: 63 } });
  expect(pollPagesPerWindow(snapshots, ["a"])).toBe(1);
  expect(pollPagesPerWindow(snapshots, ["a", "new"])).toBe(Infinity);
});
