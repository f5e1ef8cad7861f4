import { expect, test } from "vitest";
import { aFile } from "@/components/deletions/file-fixture";
import { loadFilesState } from "./files-url";
import {
  baselinesText,
  chatFilters,
  fileSentence,
  filesSentence,
  filterWords,
  selected,
} from "./words";

test.each([
  [0, [], "no baselines"],
  [1, [], "1 is a baseline and needs separate confirmation"],
  [0, ["A7 Interchange"], "no baselines; 1 is the latest upload of A7 Interchange"],
  [
    2,
    ["A7 Interchange", "Riverside Tower"],
    "2 are baselines and need separate confirmation; 2 are the latest uploads of their projects",
  ],
])("a selection of %s baselines and the latest of %j says so", (baselines, latestOf, said) => {
  expect(selected.note(baselines, latestOf)).toBe(said);
});

test("projects of the same name are told apart by source and number", () => {
  const tower = { id: 7, name: "Tower", source: "procore" };
  expect(filterWords.projectOf(tower, false)).toBe("Tower");
  expect(filterWords.projectOf(tower, true)).toBe("Tower (procore 7)");
  expect(filterWords.projectOf({ ...tower, source: null }, true)).toBe("Tower (7)");
});

test("the statement about files names its filters", () => {
  const state = loadFilesState({
    q: "tower",
    type: "xer",
    baseline: "true",
    project: "7",
    integration: "901",
    except_newest: "3",
  });
  expect(chatFilters(state, undefined)).toEqual([
    "“tower”",
    ".xer",
    "Baselines",
    "Project 7",
    "Integration 901",
    "All but the newest 3 of each project",
  ]);
  const facets = {
    total: 1,
    baselines: 0,
    types: [],
    projects: [
      { project: { id: 7, name: "Tower", source: null }, count: 1, baselines: 0, latest_id: 1 },
    ],
    integrations: [{ partner_token_id: 901, name: "P6 Oslo", count: 1 }],
  };
  expect(chatFilters(state, facets)).toEqual(
    expect.arrayContaining(["Tower", "Integration P6 Oslo (901)"]),
  );
  const none = loadFilesState({ project: "none", integration: "none" });
  expect(chatFilters(none, facets)).toEqual(["No project", "Not linked"]);
  expect(filesSentence("184 schedule files", 12, "")).toBe("12 of 184 schedule files");
  expect(filesSentence("184 schedule files", null, "9 of 184 indexed")).toBe(
    "184 schedule files, 9 of 184 indexed",
  );
});

test("the statement about a file says whether it is still there", () => {
  const tower = { id: 7, name: "Tower", source: null, customer_project_id: null };
  const given = { uploaded: "18 Nov 2026, 06:55", gone: null, pending: "" };
  expect(fileSentence(aFile({ id: 1 }), given)).toBe("schedule file, uploaded 18 Nov 2026, 06:55");
  expect(
    fileSentence(aFile({ id: 1, is_baseline: true, customer_project: tower }), {
      ...given,
      gone: "19 Nov 2026, 08:00",
      pending: "Deletion pending",
    }),
  ).toBe(
    "baseline of Tower, uploaded 18 Nov 2026, 06:55, missing since 19 Nov 2026, 08:00 or earlier, deletion pending",
  );
});

test("of a deleted baseline, only those that remain are counted", () => {
  const project = { id: 7, name: "Tower", source: null, customer_project_id: null };
  const file = aFile({ id: 1, is_baseline: true, customer_project: project });
  expect(baselinesText({ file, project_baselines: 5, gone_at: null })).toContain("4 other");
  const goneAt = "2026-11-23T08:00:00Z";
  expect(baselinesText({ file, project_baselines: 5, gone_at: goneAt })).toBe(
    "5 known baselines in this project.",
  );
  expect(baselinesText({ file, project_baselines: null, gone_at: goneAt })).toBeNull();
});
