import { describe, expect, test } from "vitest";
import { todayPath } from "@/lib/client/queries/today/today-path";
import { writeAddress } from "@/lib/client/address/address-params";
import { filterOf, isCompaniesAddress, isFiltered, loadTodayState, todayParams } from "./today-url";

const OWNER = "0d3f0a52-8f0b-4c1e-9a3e-0c9d1a6b7c11";

describe("the address of the page", () => {
  test("has the filters of the API, under the same names", () => {
    const search = {
      partner: "A&B",
      owner: OWNER,
      mine: "1",
      unattended: "1",
      verdict: "stale,late",
    };
    expect(todayPath(filterOf(loadTodayState({ ...search, q: "rfi", order: "next" })))).toBe(
      `/today?partner=A%26B&owner=${OWNER}&mine=1&unattended=1&verdict=late%2Cstale&q=rfi`,
    );
    expect(todayPath(filterOf(loadTodayState({})))).toBe("/today");
  });

  test("has what was chosen, and nothing of what wasn't", () => {
    const chosen = {
      mine: true,
      unattended: true,
      verdict: ["late", "stale"],
      order: "next",
    } as const;
    expect(writeAddress(todayParams, chosen)).toBe(
      "?mine=1&unattended=1&verdict=late,stale&order=next",
    );
    expect(writeAddress(todayParams, { mine: false, order: "worst" }, "mine=1&order=next")).toBe(
      "",
    );
  });

  test("ignores invalid values", () => {
    const state = loadTodayState({
      owner: "Ana",
      verdict: "late,green",
      mine: "yes",
      order: "name",
    });
    expect(state).toMatchObject({ owner: null, verdict: null, mine: false, order: "worst" });
    expect(isFiltered(state)).toBe(false);
  });

  test.each([
    { partner: "Procore" },
    { mine: "1" },
    { unattended: "1" },
    { verdict: "late" },
    { q: "x" },
  ])("is filtered by %o", (search) => expect(isFiltered(loadTodayState(search))).toBe(true));

  test.each([{ order: "next" }, { at: "2026-11-24T14:20:00Z" }])("isn't filtered by %o", (search) =>
    expect(isFiltered(loadTodayState(search))).toBe(false),
  );
});

describe("a link from when the list of companies was at /", () => {
  test.each([
    { whose: "mine" },
    { since: "2026-11-24T14:20:00Z" },
    { verdict: "attention" },
    { verdict: "unknown" },
    { owner: "Ana Rask" },
    { owner: "@administrators" },
    { order: "name" },
    { partner: "Procore", whose: "nobody" },
  ])("leads there if only that list knows its parameters: %o", (search) =>
    expect(isCompaniesAddress(search)).toBe(true),
  );

  test.each([
    {},
    { partner: "Procore" },
    { verdict: "failing" },
    { q: "north" },
    { at: "2026-11-24T14:20:00Z" },
    { order: "worst" },
    { owner: OWNER },
    { verdict: "foo" },
    { verdict: "late,foo" },
    { order: "foo", whose: "foo" },
  ])("otherwise keeps its meaning: %o", (search) => expect(isCompaniesAddress(search)).toBe(false));
});
