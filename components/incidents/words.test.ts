import { expect, test } from "vitest";
import { endedWords, incidentWords, usWords } from "./words";

test("how many feeds' last run was rate limited can't be read as a number of runs", () => {
  const said = (limited: number, all: number, inTrouble = all) =>
    usWords.limited({ in_trouble: inTrouble, with_runs: all, rate_limited: limited });
  expect(said(0, 1)).toBe("Not reached by the last run");
  expect(said(1, 1)).toBe("Reached by the last run");
  expect(said(0, 3)).toBe("Not reached by the last run of any of 3 feeds");
  expect(said(2, 3)).toBe("Reached by the last run of 2 of 3 feeds");
  expect(said(0, 0)).toBe("Nothing to judge by now");
  expect(said(0, 0, 1)).toBe("No run recorded");
});

test("one feed is overdue by a time, several by up to one", () => {
  expect(incidentWords.furthest("6 d 4 h", 1)).toBe("6 d 4 h overdue");
  expect(incidentWords.furthest("6 d 4 h", 2)).toBe("Up to 6 d 4 h overdue");
});

test("the ended incidents are said to be all of them, of which some ended lately", () => {
  const note = { total: 31, lately: 7, isSoFar: false, isSearched: false };
  const order = "Latest first. Only data received or a completed run counts as recovered.";
  expect(endedWords.note(note)).toBe(`31 in all, 7 in the past 7 days. ${order}`);
  expect(endedWords.note({ ...note, lately: null, isSoFar: true })).toBe(`31 so far. ${order}`);
  expect(endedWords.note({ ...note, total: null })).toBe(order);
  expect(endedWords.note({ ...note, total: 0, lately: 0, isSearched: true })).toBe(
    `${order} The search only applies to open incidents.`,
  );
});
