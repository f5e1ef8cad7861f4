import { describe, expect, test } from "vitest";
import type { Counts } from "@/lib/domain/order";
import { blindParts, boardParts, noteWords, type BoardPart } from "./words";

const NONE: Counts = {
  failing: 0,
  stale: 0,
  late: 0,
  unknown: 0,
  due: 0,
  fresh: 0,
  webhook: 0,
  paused: 0,
};
const BEHIND = { ...NONE, failing: 4, stale: 4, late: 4, fresh: 48 };
const GIVEN = { quiet: 0, unattended: 2, next: "14:26", checked: "7 s ago" };
const said = (parts: readonly BoardPart[]) => parts.map(({ text }) => text).join("");

describe("the sentence above the board", () => {
  test("says how many are behind, how many no one is on, and when the next attempt is", () => {
    const parts = boardParts(BEHIND, GIVEN);
    expect(said(parts)).toBe(
      "12 of 60 feeds are behind; no one is on 2; the next attempt is at 14:26",
    );
    expect(parts.flatMap(({ does }) => does ?? [])).toEqual(["behind", "unattended", "next"]);
  });

  test("doesn't count feeds in planned quiet as behind", () => {
    expect(said(boardParts(BEHIND, { ...GIVEN, quiet: 3 }))).toBe(
      "9 of 60 feeds are behind; no one is on 2; the next attempt is at 14:26",
    );
    const calm = { ...GIVEN, unattended: 0, next: null };
    expect(said(boardParts(BEHIND, { ...calm, quiet: 12 }))).toBe(
      "None of 60 feeds is behind; last check 7 s ago",
    );
    expect(said(boardParts({ ...BEHIND, unknown: 1 }, { ...calm, quiet: 12 }))).toBe(
      "None of the 48 feeds that can be judged is behind; last check 7 s ago",
    );
    expect(said(boardParts({ ...NONE, late: 2 }, { ...calm, quiet: 2 }))).toBe(
      "No feed can be judged; last check 7 s ago",
    );
    expect(said(blindParts("Northgate", BEHIND, { quiet: 3, since: "13:52" }))).toBe(
      "We haven’t been able to check Northgate since 13:52; 9 of 60 feeds were behind then",
    );
  });

  test("leaves out what is zero or unknown", () => {
    const given = { ...GIVEN, unattended: 0, next: null };
    expect(said(boardParts(BEHIND, given))).toBe("12 of 60 feeds are behind");
    expect(said(boardParts(BEHIND, { ...given, unattended: null }))).toBe(
      "12 of 60 feeds are behind",
    );
    expect(said(boardParts({ ...NONE, late: 1 }, given))).toBe("The only feed is behind");
  });

  test("says that none is behind of those that can be judged only", () => {
    expect(said(boardParts({ ...NONE, fresh: 60 }, GIVEN))).toBe(
      "None of 60 feeds is behind; last check 7 s ago",
    );
    expect(said(boardParts({ ...NONE, fresh: 58, unknown: 2 }, GIVEN))).toBe(
      "None of the 58 feeds that can be judged is behind; last check 7 s ago",
    );
    for (const paused of [0, 3])
      expect(said(boardParts({ ...NONE, unknown: 2, paused }, GIVEN))).toBe(
        "No feed can be judged; last check 7 s ago",
      );
    expect(said(boardParts({ ...NONE, paused: 2, webhook: 1 }, GIVEN))).toBe(
      "No feed can be judged; last check 7 s ago",
    );
    expect(said(boardParts({ ...NONE, fresh: 4, unknown: 2, paused: 3, webhook: 1 }, GIVEN))).toBe(
      "None of the 4 feeds that can be judged is behind; last check 7 s ago",
    );
  });

  test("speaks of a single feed in the singular", () => {
    const one = { ...GIVEN, unattended: 1 };
    expect(said(boardParts({ ...NONE, late: 1, fresh: 9 }, one))).toBe(
      "1 of 10 feeds is behind; no one is on it; the next attempt is at 14:26",
    );
    expect(said(boardParts({ ...NONE, fresh: 1 }, GIVEN))).toBe(
      "The only feed isn’t behind; last check 7 s ago",
    );
    expect(said(boardParts({ ...NONE, fresh: 1, unknown: 1 }, GIVEN))).toBe(
      "The only feed that can be judged isn’t behind; last check 7 s ago",
    );
  });

  test("is in the past tense while the company can't be checked", () => {
    expect(said(blindParts("Northgate", BEHIND, { quiet: 0, since: "13:52" }))).toBe(
      "We haven’t been able to check Northgate since 13:52; 12 of 60 feeds were behind then",
    );
    expect(said(blindParts("Northgate", { ...NONE, fresh: 1 }, { quiet: 0, since: "13:52" }))).toBe(
      "We haven’t been able to check Northgate since 13:52; 0 of 1 feed was behind then",
    );
  });
});

test("the second line has the open incidents since the oldest, and what can't be judged", () => {
  expect(noteWords.open(5, "02:50")).toBe("5 open incidents, the oldest since 02:50");
  expect(noteWords.open(1, "02:50")).toBe("1 open incident, since 02:50");
  expect(noteWords.unknown(2, false)).toBe("2 feeds can’t be judged");
  expect(noteWords.unknown(1, true)).toBe("1 feed couldn’t be judged then");
});
