import { describe, expect, test } from "vitest";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { deletionRequestOf } from "./deletion-request";
import { aFile } from "./file-fixture";
import {
  NOTHING_SELECTED,
  baselinesOf,
  countOf,
  isSelected,
  latestOf,
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
  pinned: {
    count: 312,
    baselines: [aFile({ id: 7, is_baseline: true })],
    latest_of: ["Tower"],
    digest: "abc",
  },
};

describe("file selection", () => {
  test("is toggled by a click", () => {
    const chosen = toggled(NOTHING_SELECTED, one, 0);
    expect(isSelected(chosen, one)).toBe(true);
    expect(countOf(toggled(chosen, one, 0))).toBe(0);
  });

  test("extends from the last single choice to the click, in either direction", () => {
    const chosen = toggled(NOTHING_SELECTED, one, 10);
    expect(rangeTo(chosen, 14)).toEqual({ from: 10, to: 14 });
    expect(rangeTo(chosen, 3)).toEqual({ from: 3, to: 10 });
    expect(rangeTo(NOTHING_SELECTED, 3)).toEqual({ from: 3, to: 3 });
  });

  test("adds a range to the selection, and keeps its anchor for the next one", () => {
    const chosen = withFiles(toggled(NOTHING_SELECTED, one, 10), files);
    expect(countOf(chosen)).toBe(4);
    expect(baselinesOf(chosen).map(({ id }) => id)).toEqual([3]);
    expect(rangeTo(chosen, 12)).toEqual({ from: 10, to: 12 });
    expect(countOf(withoutFiles(chosen, [one]))).toBe(3);
  });

  test("knows the projects whose latest upload is selected", () => {
    const project = (id: number, latest_id: number) => ({
      project: { id, name: `Project ${id}`, source: "procore" },
      count: 2,
      baselines: 0,
      latest_id,
    });
    const facets = {
      total: 9,
      baselines: 0,
      types: [],
      integrations: [],
      projects: [project(1, 1), project(2, 9), { ...project(3, 2), project: null }],
    };
    const chosen = withFiles(NOTHING_SELECTED, [one, two]);
    expect(latestOf(chosen, facets)).toEqual(["Project 1"]);
    expect(latestOf(chosen, undefined)).toEqual([]);
    expect(latestOf(matching, facets)).toEqual(["Tower"]);
  });

  test("is cleared, rather than almost everything, when one is removed from all that match", () => {
    expect(isSelected(matching, one)).toBe(true);
    expect(countOf(toggled(matching, one, 0))).toBe(0);
    expect(countOf(withoutFiles(matching, [one]))).toBe(0);
  });
});

describe("the request body", () => {
  const chosen = withFiles(NOTHING_SELECTED, [
    { ...one, customer_project: { id: 5, name: "Tower", source: null, customer_project_id: "x" } },
    ...files.slice(1),
  ]);

  test("has selected files as they were seen, with what identifies them", () => {
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

  test("states that a file has no project, so that one assigned later is noticed", () => {
    const request = deletionRequestOf(withFiles(NOTHING_SELECTED, [two]), new Set());
    expect(request).toMatchObject({ files: [{ customer_project: null }] });
  });

  test("has all that match as pinned, without the baselines that are kept", () => {
    expect(deletionRequestOf(matching, new Set([7]))).toEqual({
      matching: { filters: "q=tower", count: 312, digest: "abc", without: [7] },
    });
  });

  test("is null when every file is kept", () => {
    const baseline = withFiles(NOTHING_SELECTED, [three]);
    expect(deletionRequestOf(baseline, new Set([3]))).toBeNull();
  });
});
