import { describe, expect, test } from "vitest";
import type { ScheduleProject, ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import {
  daysAway,
  learnedText,
  listedSentence,
  noProjectMatches,
  projectsHead,
  overdueText,
  projectsSentence,
  wholeDays,
} from "./project-words";

const COUNTS: ScheduleProjectsView["counts"] = {
  projects: 5,
  behind: 0,
  unknown: 0,
  no_baseline: 0,
  files: 184,
  baselines: 31,
  files_without_project: 3,
};
const TUNNEL = { name: "Harbour Tunnel", expected_at: "2026-11-18T16:00:00Z" };

function sentence(
  counts: Partial<ScheduleProjectsView["counts"]>,
  isWhole = true,
  furthest: ScheduleProjectsView["furthest_behind"] = TUNNEL,
) {
  const view = { counts: { ...COUNTS, ...counts }, furthest_behind: furthest };
  return projectsSentence(view, isWhole, "6 d");
}
const text = (...given: Parameters<typeof sentence>) =>
  sentence(...given)
    .map((part) => part.text)
    .join("");

describe("the sentence about projects", () => {
  test("says how many are overdue, without a baseline and not known", () => {
    expect(text({ behind: 1, no_baseline: 1, unknown: 1 })).toBe(
      "1 of 5 projects is overdue: Harbour Tunnel, 6 d; 1 has no baseline; 1 we can’t judge",
    );
    expect(text({ behind: 2, no_baseline: 2 })).toBe(
      "2 of 5 projects are overdue: worst Harbour Tunnel, 6 d; 2 have no baseline",
    );
  });

  test("never calls projects on time that can't be judged", () => {
    expect(text({})).toBe("None of 5 projects is overdue");
    expect(text({ unknown: 2 })).toBe(
      "None of the 3 projects we can judge is overdue; 2 we can’t judge",
    );
    expect(text({ unknown: 4 })).toBe(
      "The one project we can judge isn’t overdue; 4 we can’t judge",
    );
    expect(text({ unknown: 5 })).toBe("We can’t judge any of 5 projects");
    expect(text({ projects: 1, unknown: 1 })).toBe("We can’t judge the one project");
    expect(text({ projects: 1 })).toBe("The one project isn’t overdue");
  });

  test("says of an incomplete index that there may be more", () => {
    expect(text({ behind: 1, no_baseline: 1 }, false)).toBe(
      "1 of 5 projects found so far is overdue: Harbour Tunnel, 6 d; 1 has no baseline so far",
    );
    expect(text({}, false)).toBe("None of 5 projects found so far is overdue");
    expect(text({ unknown: 2 }, false)).toBe(
      "None of the 3 projects found so far that we can judge is overdue; 2 we can’t judge",
    );
    expect(text({ projects: 1 }, false)).toBe("The one project found so far isn’t overdue");
    expect(text({ projects: 0 }, false)).toBe("No projects, 3 files in none so far");
    expect(text({ projects: 0, files_without_project: 0 })).toBe("No projects");
    expect(projectsHead.summary(COUNTS, false)).toBe(
      "184 files, 31 baselines, 3 files in no project so far.",
    );
  });

  test("has the parts that are filters", () => {
    expect(
      sentence({ behind: 1, no_baseline: 1, unknown: 1 })
        .filter(({ show }) => show !== null)
        .map((part) => [part.show, part.text]),
    ).toEqual([
      ["behind", "1 of 5 projects is overdue"],
      ["no-baseline", "1 has no baseline"],
      ["unknown", "1 we can’t judge"],
    ]);
  });
});

test("says how far away a day is", () => {
  expect([-6, -1, 0, 1, 8].map(daysAway)).toEqual([
    "6 d ago",
    "yesterday",
    "today",
    "tomorrow",
    "in 8 d",
  ]);
  expect([30 * DAY_MS, 1.6 * DAY_MS, 2 * HOUR_MS].map(wholeDays)).toEqual(["30 d", "38 h", "2 h"]);
});

test("says how long an upload is overdue, in the days that its date is ago", () => {
  const nowMs = Date.parse("2026-11-29T20:56:00Z");
  const expected = (at: string) => overdueText(Date.parse(at), nowMs, "UTC");
  expect(expected("2026-11-20T06:00:00Z")).toBe("9 d");
  expect(expected("2026-11-20T22:00:00Z")).toBe("9 d");
  expect(expected("2026-11-28T06:00:00Z")).toBe("39 h");
});

test("says what a rhythm was learned from, or why there is none", () => {
  const latest = { id: 1, name: "a.xer", created_at: "2026-11-18T16:00:00Z", file_type: "xer" };
  const learned = { file_type: "xer", uploads: 11, shortest_days: 2, longest_days: 51 };
  const said = (change: Partial<ScheduleProject>, isWhole = true) =>
    learnedText(
      { latest, rhythm_days: 7, learned_from: learned, ...change } as ScheduleProject,
      isWhole,
    );
  expect(said({})).toBe("from 11 uploads");
  expect(said({}, false)).toBe("from 11 uploads so far");
  expect(said({ learned_from: { ...learned, file_type: "xml" } })).toBe("from 11 .xml uploads");
  expect(said({ rhythm_days: null })).toBe("gaps from 2 d to 51 d");
  expect(said({ rhythm_days: null, learned_from: { ...learned, uploads: 3 } })).toBe(
    "3 of 5 uploads needed",
  );
  expect(said({ rhythm_days: null, learned_from: null })).toBe("no upload in a year");
});

test("says whether no project has the name, or none of those of the chosen kind", () => {
  expect(noProjectMatches("mill", false)).toMatchObject({
    title: "No match for “mill”",
    sentence: "No project has this in its name.",
  });
  expect(noProjectMatches("mill", true).sentence).toBe("No project like this matches the name.");
  expect(noProjectMatches("", true).sentence).toBe("No project is like this right now.");
});

test("the statement about a filtered list claims only what is known of all of it", () => {
  const project = (state: ScheduleProject["state"]) => ({ state }) as ScheduleProject;
  const meta = { page: 1, per_page: 50, total_count: 2, total_pages: 1 };
  const say = (data: ScheduleProject[], pages = 1, isNarrowed = true) =>
    listedSentence(
      { data, meta: { ...meta, total_pages: pages }, counts: COUNTS },
      { isWhole: true, isNarrowed, whole: "None of 5 projects is overdue" },
    );
  expect(say([project("behind"), project(null)])).toBe(
    "2 of 5 projects, 1 overdue, 1 can’t be judged",
  );
  expect(say([project("behind"), project("behind")], 2)).toBe(
    "2 of 5 projects, at least 2 overdue",
  );
  expect(say([], 1, false)).toBe("None of 5 projects is overdue");
});
