import { describe, expect, test } from "vitest";
import { writeAddress, type Changes } from "@/lib/client/address-params";
import { boardParams, loadBoardState } from "./board-url";

const serialize = (state: Changes<typeof boardParams>) => writeAddress(boardParams, state);

describe("the board's state in the address", () => {
  test("is the default view when empty", () => {
    expect(loadBoardState("")).toEqual({
      verdict: null,
      q: "",
      order: "worst",
      group: "partner",
      rows: "all",
      closed: [],
      open: [],
    });
  });

  test("round-trips every view", () => {
    const state = {
      verdict: "stale",
      q: "daily & logs % æ",
      order: "fixed",
      group: "flat",
      rows: "folded",
      closed: ["A, B & C/D", "100 %"],
      open: ["Prøve"],
    } as const;
    const address = serialize({ ...state, closed: [...state.closed], open: [...state.open] });
    expect(loadBoardState(new URLSearchParams(address))).toEqual(state);
  });

  test("treats invalid values as absent", () => {
    const state = loadBoardState("?verdict=splendid&order=&group=spiral&rows=1");
    expect(state).toMatchObject({ verdict: null, order: "worst", group: "partner", rows: "all" });
  });

  test("needs no parameters for the default view", () => {
    expect(serialize(loadBoardState(""))).toBe("");
  });
});
