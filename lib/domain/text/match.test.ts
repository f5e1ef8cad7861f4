import { describe, expect, test } from "vitest";
import { foldText, needlesOf } from "./fold-text";
import { matchRank } from "./match";

const rank = (query: string, name: string, context = "") =>
  matchRank(needlesOf(query), foldText(name), foldText(context));

describe("folding", () => {
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
  ])("treats %s as %s", (query, name) => {
    expect(rank(query, name)).toBe(0);
  });

  test("lowers the letters of plain names, and leaves everything else in them", () => {
    expect(foldText("Sage 300 / AP_Invoices (NO)~")).toBe("sage 300 / ap_invoices (no)~");
  });

  test("preserves marks that form another letter: は is not ば", () => {
    expect(rank("は", "ばば")).toBeNull();
    expect(rank("한국", "한국건설")).toBe(0);
    expect(rank("कि", "की")).toBeNull();
  });

  test("treats composed and decomposed text as equal", () => {
    expect(foldText("e\u0301clair")).toBe(foldText("éclair"));
  });
});

describe("ranking", () => {
  test("prefers the start of the name, then the start of a word, then inside, then the same in the context", () => {
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

  test("prefers a later occurrence at the start of a word to an earlier one inside", () => {
    expect(rank("log", "catalogue_log")).toBe(1);
  });

  test("requires every word of the query, in any order", () => {
    expect(rank("daily procore", "daily_logs", "Procore")).toBe(3);
    expect(rank("daily aconex", "daily_logs", "Procore")).toBeNull();
  });

  test("ranks everything equally for a blank query", () => {
    expect(needlesOf("  \t ")).toEqual([]);
    expect(rank("", "anything")).toBe(0);
  });

  test("treats punctuation like any other text", () => {
    expect(rank("a/b", "a/b")).toBe(0);
    expect(rank("<b>", "x <b>")).toBe(1);
    expect(rank("%", "100%")).toBe(2);
    expect(rank(".*", "anything")).toBeNull();
  });
});
