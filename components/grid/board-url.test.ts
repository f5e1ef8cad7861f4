import { describe, expect, test } from "vitest";
import { writeAddress, type Changes } from "@/lib/client/address/address-params";
import { boardCsvPath, boardParams, groupedBy, loadBoardState, orderedBy } from "./board-url";

const serialize = (state: Changes<typeof boardParams>) => writeAddress(boardParams, state);

describe("the board's state in the address", () => {
  test("is the default view when empty", () => {
    expect(loadBoardState("")).toEqual({
      verdict: null,
      unattended: false,
      q: "",
      order: "worst",
      group: "attention",
      rows: "all",
      partners: "folded",
      closed: [],
      open: [],
    });
  });

  test("round-trips every view", () => {
    const state = {
      verdict: "stale",
      unattended: true,
      q: "daily & logs % æ",
      order: "next",
      group: "flat",
      rows: "folded",
      partners: "open",
      closed: ["A, B & C/D", "100 %"],
      open: ["Prøve"],
    } as const;
    const address = serialize({ ...state, closed: [...state.closed], open: [...state.open] });
    expect(loadBoardState(new URLSearchParams(address))).toEqual(state);
  });

  test("treats invalid values as absent", () => {
    const state = loadBoardState("?verdict=splendid&order=&group=spiral&rows=1&partners=x");
    expect(state).toMatchObject({
      verdict: null,
      order: "worst",
      group: "attention",
      rows: "all",
      partners: "folded",
    });
  });

  test.each([
    ["?order=fixed", "partner"],
    ["?rows=folded", "partner"],
    ["?rows=folded&open=Procore", "partner"],
    ["?closed=Procore", "partner"],
    ["?closed=Procore&verdict=late", "partner"],
    ["?group=flat&order=fixed", "flat"],
    ["?group=partner", "partner"],
    ["?verdict=late", "attention"],
    ["?partners=open&closed=Procore", "attention"],
    ["?open=Procore", "attention"],
  ])("%s keeps meaning what it meant: %s", (address, group) => {
    expect(loadBoardState(address).group).toBe(group);
  });
});

describe("another grouping", () => {
  const state = loadBoardState("?group=partner&order=fixed&rows=folded&closed=Procore");

  test("with what needs attention on top has no fixed order and folds no rows", () => {
    const changed = { ...state, ...groupedBy("attention", state) };
    expect(changed).toMatchObject({ order: "worst", rows: "all", closed: [] });
    expect(loadBoardState(serialize({ ...changed, closed: [], open: [] })).group).toBe("attention");
  });

  test("is that of partners once the order is fixed", () => {
    const first = loadBoardState("");
    expect(orderedBy("fixed", first)).toMatchObject({ order: "fixed", group: "partner" });
    expect(orderedBy("next", first)).toEqual({ order: "next" });
    expect(orderedBy("fixed", loadBoardState("?group=flat"))).toEqual({ order: "fixed" });
  });
});

describe("the download", () => {
  test("has what the page shows, now or then", () => {
    expect(boardCsvPath("northgate", "")).toBe("/api/companies/northgate/sync-status/csv");
    expect(boardCsvPath("northgate", "?q=rfi+s&verdict=attention&unattended&order=next")).toBe(
      "/api/companies/northgate/sync-status/csv?verdict=attention&unattended=1&q=rfi+s",
    );
    expect(boardCsvPath("a", "?at=2026-11-26T08:00:00Z&verdict=good")).toBe(
      "/api/companies/a/sync-status/csv?at=2026-11-26T08%3A00%3A00Z",
    );
  });
});
