import { describe, expect, test } from "vitest";
import { foldText, needlesOf } from "./fold-text";
import { matchRank } from "./match";

const rank = (query: string, name: string, context = "") =>
  matchRank(needlesOf(query), foldText(name), foldText(context));

describe("text is compared as people type it", () => {
  test.each([
    ["ångström", "Angstrom"],
    ["GROSSBAU", "Großbau"],
    ["rodovre", "Rødovre"],
    ["lodz", "Łódź"],
    ["istanbul", "İstanbul"],
    ["ΟΔΟΣ", "οδος"],
    ["ａｂｃ", "ABC"],
    ["ｶﾞｲﾄﾞ", "ガイド"],
    ["Й", "й"],
  ])("%s finds %s", (query, name) => {
    expect(rank(query, name)).toBe(0);
  });

  test("what makes another letter is kept: は is not ば", () => {
    expect(rank("は", "ばば")).toBeNull();
    expect(rank("한국", "한국건설")).toBe(0);
    expect(rank("कि", "की")).toBeNull();
  });

  test("composed and decomposed text are the same text", () => {
    expect(foldText("e\u0301clair")).toBe(foldText("éclair"));
  });
});

describe("the better match comes first", () => {
  test("start of the name, start of a word, inside, then the same in what it belongs to", () => {
    const ranks = [
      rank("log", "logs"),
      rank("log", "daily_logs"),
      rank("log", "catalogue"),
      rank("log", "rfis", "logistics"),
      rank("log", "rfis", "the logistics"),
      rank("log", "rfis", "catalogue"),
    ];
    expect(ranks).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("a later occurrence at the start of a word beats an earlier one inside", () => {
    expect(rank("log", "catalogue_log")).toBe(1);
  });

  test("every part has to be somewhere, in any order", () => {
    expect(rank("daily procore", "daily_logs", "Procore")).toBe(3);
    expect(rank("daily aconex", "daily_logs", "Procore")).toBeNull();
  });

  test("a blank query finds everything alike", () => {
    expect(needlesOf("  \t ")).toEqual([]);
    expect(rank("", "anything")).toBe(0);
  });

  test("punctuation is text like any other", () => {
    expect(rank("a/b", "a/b")).toBe(0);
    expect(rank("<b>", "x <b>")).toBe(1);
    expect(rank("%", "100%")).toBe(2);
    expect(rank(".*", "anything")).toBeNull();
  });
});
