import { expect, test } from "vitest";
import { tally } from "@/lib/domain/verdict";
import type { Verdict } from "@/lib/domain/sync";
import { groupState, hiddenSentence, partnersText, placeText } from "./words";

test.each<[readonly Verdict[], string, quiet?: number]>([
  [["fresh", "due"], "all on time"],
  [["fresh", "paused"], "all on time, 1 paused"],
  [["fresh", "webhook"], "all on time, 1 by webhook"],
  [["late", "failing", "fresh"], "2 behind"],
  [["stale", "unknown", "paused"], "1 behind, 1 unknown, 1 paused"],
  [["unknown", "fresh"], "1 unknown"],
  [["webhook"], "by webhook"],
  [["paused"], "1 paused"],
  [["late", "failing", "fresh"], "1 behind, 1 in planned quiet", 1],
  [["late", "fresh", "webhook"], "1 in planned quiet", 1],
])("a partner with %j is: %s", (words, said, quiet = 0) => {
  expect(groupState(tally(words), quiet)).toBe(said);
});

test("says what a filter hides", () => {
  expect(hiddenSentence(null, 58)).toBe(
    "Showing only feeds that no one is on. Feeds hidden by this filter: 58.",
  );
  expect(hiddenSentence("late", 58)).toMatch(/^Showing Late only\./);
});

test("counts partners and feeds", () => {
  expect(partnersText(14)).toBe("14, A to Z; open one to see all its feeds");
  expect(partnersText(1)).toBe("1; open it to see all its feeds");
  expect(placeText(null, 60)).toBe("60 feeds");
  expect(placeText(2, 12)).toBe("row 2 of 12");
});
