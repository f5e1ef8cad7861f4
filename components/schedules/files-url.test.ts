import { describe, expect, test } from "vitest";
import { filtersOf, listQueryOf, loadFilesState, orderAfter, sortOf } from "./files-url";

describe("the address of a list of files", () => {
  test("everything chosen comes back from it", () => {
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

  test("what does not parse counts as absent, newest first", () => {
    const state = loadFilesState("?baseline=maybe&sort=size");
    expect(state.baseline).toBeNull();
    expect(state.sort).toBe("-uploaded");
    expect(listQueryOf(state)).toBe("");
  });
});

describe("the question to the server", () => {
  const state = loadFilesState("?q=%20a%26b%20&type=xer&sort=project");

  test("holds the filters without blanks around the text, each encoded", () => {
    expect(filtersOf(state)).toBe("q=a%26b&type=xer");
  });

  test("holds the order only where it is not the usual one", () => {
    expect(listQueryOf(state)).toBe("q=a%26b&type=xer&sort=project");
    expect(listQueryOf({ ...state, sort: "-uploaded" })).toBe("q=a%26b&type=xer");
    expect(listQueryOf(loadFilesState("?sort=name"))).toBe("sort=name");
  });
});

test("a column's head sorts by it, then the other way; times begin with the newest", () => {
  expect(orderAfter("-uploaded", "name")).toBe("name");
  expect(orderAfter("name", "name")).toBe("-name");
  expect(orderAfter("-name", "name")).toBe("name");
  expect(orderAfter("name", "uploaded")).toBe("-uploaded");
  expect(sortOf("-uploaded", "uploaded")).toBe("descending");
  expect(sortOf("-uploaded", "name")).toBe("none");
});
