import { describe, expect, test } from "vitest";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { deletionRequestOf } from "./deletion-request";
import { aFile } from "./file-fixture";
import {
  NOTHING_SELECTED,
  baselinesOf,
  countOf,
  isSelected,
  rangeTo,
  toggled,
  withFiles,
  withoutFiles,
  type Selection,
} from "./selection";

const files = [1, 2, 3, 4].map((id) => aFile({ id, is_baseline: id === 3 }));
const [one, two, three] = files as [ScheduleFileRow, ScheduleFileRow, ScheduleFileRow];
const matching: Selection = {
  kind: "matching",
  filters: "q=tower",
  pinned: { count: 312, baselines: [aFile({ id: 7, is_baseline: true })], digest: "abc" },
};

describe("choosing files", () => {
  test("a press chooses a file, another one takes it back", () => {
    const chosen = toggled(NOTHING_SELECTED, one, 0);
    expect(isSelected(chosen, one)).toBe(true);
    expect(countOf(toggled(chosen, one, 0))).toBe(0);
  });

  test("a range goes from the last single choice to the press, in either direction", () => {
    const chosen = toggled(NOTHING_SELECTED, one, 10);
    expect(rangeTo(chosen, 14)).toEqual({ from: 10, to: 14 });
    expect(rangeTo(chosen, 3)).toEqual({ from: 3, to: 10 });
    expect(rangeTo(NOTHING_SELECTED, 3)).toEqual({ from: 3, to: 3 });
  });

  test("a range is added to what was chosen, and its beginning stays for the next one", () => {
    const chosen = withFiles(toggled(NOTHING_SELECTED, one, 10), files);
    expect(countOf(chosen)).toBe(4);
    expect(baselinesOf(chosen).map(({ id }) => id)).toEqual([3]);
    expect(rangeTo(chosen, 12)).toEqual({ from: 10, to: 12 });
    expect(countOf(withoutFiles(chosen, [one]))).toBe(3);
  });

  test("taking one away from all that match chooses nothing rather than almost everything", () => {
    expect(isSelected(matching, one)).toBe(true);
    expect(countOf(toggled(matching, one, 0))).toBe(0);
    expect(countOf(withoutFiles(matching, [one]))).toBe(0);
  });
});

describe("what is asked of the server", () => {
  const chosen = withFiles(NOTHING_SELECTED, [
    { ...one, customer_project: { id: 5, name: "Tower", source: null, customer_project_id: "x" } },
    ...files.slice(1),
  ]);

  test("files chosen by hand go as they were seen, with what tells them apart", () => {
    const request = deletionRequestOf(chosen, new Set([2, 3, 4]));
    expect(request).toEqual({
      files: [
        {
          id: 1,
          name: "File 1",
          is_baseline: false,
          created_at: "2026-11-18T06:55:00Z",
          customer_project: { id: 5, name: "Tower" },
        },
      ],
    });
  });

  test("a file without a project says so, that one given later is noticed", () => {
    const request = deletionRequestOf(withFiles(NOTHING_SELECTED, [two]), new Set());
    expect(request).toMatchObject({ files: [{ customer_project: null }] });
  });

  test("all that match go as pinned, without the baselines that are kept", () => {
    expect(deletionRequestOf(matching, new Set([7]))).toEqual({
      matching: { filters: "q=tower", count: 312, digest: "abc", without: [7] },
    });
  });

  test("with every file kept there is nothing to ask for", () => {
    const baseline = withFiles(NOTHING_SELECTED, [three]);
    expect(deletionRequestOf(baseline, new Set([3]))).toBeNull();
  });
});
