import { describe, expect, test } from "vitest";
import { filtersOf, listQueryOf, loadFilesState, orderAfter, sortOf } from "./files-url";

describe("the address of a file list", () => {
  test("round-trips every choice", () => {
    const state = loadFilesState(
      "?q=tower%20b&type=xer&baseline=true&project=12&integration=none&sort=-name",
    );
    expect(state).toEqual({
      q: "tower b",
      type: "xer",
      baseline: "true",
      project: "12",
      integration: "none",
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

describe("the API query", () => {
  const state = loadFilesState("?q=%20a%26b%20&type=xer&sort=project");

  test("has trimmed and encoded filters", () => {
    expect(filtersOf(state)).toBe("q=a%26b&type=xer");
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
