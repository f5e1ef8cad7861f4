import { describe, expect, test } from "vitest";
import {
  filtersOf,
  listQueryOf,
  loadFilesState,
  loadProjectsState,
  orderAfter,
  projectsQueryOf,
  sortOf,
  viewOf,
} from "./files-url";

describe("the address of a file list", () => {
  test("round-trips every choice", () => {
    const state = loadFilesState(
      "?view=files&q=tower%20b&type=xer&baseline=true&project=12&source=procore&integration=none&except_newest=3&sort=-name",
    );
    expect(state).toEqual({
      view: "files",
      q: "tower b",
      type: "xer",
      baseline: "true",
      project: "12",
      source: "procore",
      integration: "none",
      except_newest: 3,
      sort: "-name",
    });
  });

  test("treats invalid values as absent, newest first", () => {
    const state = loadFilesState("?baseline=maybe&sort=size");
    expect(state.baseline).toBeNull();
    expect(state.sort).toBe("-uploaded");
    expect(listQueryOf(state)).toBe("");
  });
});

describe("the view of an address", () => {
  test.each(["", "?view=projects&q=tower", "?show=behind", "?page=2", "?baseline=maybe", "?q="])(
    "is projects: %s",
    (search) => expect(viewOf(search)).toBe("projects"),
  );

  test.each([
    "?view=files",
    "?q=tower",
    "?type=xer",
    "?baseline=false",
    "?project=none",
    "?integration=901",
    "?sort=name",
    "?except_newest=3",
  ])("is files, as before there were projects: %s", (search) =>
    expect(viewOf(search)).toBe("files"),
  );
});

describe("the API query of projects", () => {
  test("has search, filter and page", () => {
    expect(projectsQueryOf(loadProjectsState("?view=projects&q=%20a%26b&show=behind&page=2"))).toBe(
      "q=a%26b&show=behind&page=2",
    );
    expect(projectsQueryOf(loadProjectsState("?show=everything&page=-1"))).toBe("page=1");
  });
});

describe("the API query", () => {
  const state = loadFilesState("?q=%20a%26b%20&type=xer&sort=project");

  test("has trimmed and encoded filters", () => {
    expect(filtersOf(state)).toBe("q=a%26b&type=xer");
    expect(filtersOf(loadFilesState("?project=12&source=a&except_newest=3"))).toBe(
      "project=12&source=a&except_newest=3",
    );
  });

  test("has the order only when it isn't the default", () => {
    expect(listQueryOf(state)).toBe("q=a%26b&type=xer&sort=project");
    expect(listQueryOf({ ...state, sort: "-uploaded" })).toBe("q=a%26b&type=xer");
    expect(listQueryOf(loadFilesState("?sort=name"))).toBe("sort=name");
  });
});

test("sorts by a column on the first click and reverses on the second; times start with the newest", () => {
  expect(orderAfter("-uploaded", "name")).toBe("name");
  expect(orderAfter("name", "name")).toBe("-name");
  expect(orderAfter("-name", "name")).toBe("name");
  expect(orderAfter("name", "uploaded")).toBe("-uploaded");
  expect(sortOf("-uploaded", "uploaded")).toBe("descending");
  expect(sortOf("-uploaded", "name")).toBe("none");
});
