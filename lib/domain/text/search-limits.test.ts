import { expect, test } from "vitest";
import { needlesOf } from "./fold-text";
import { cutSearch, SEARCH_CHARACTERS, SEARCH_WORDS } from "./search-limits";

test("a search that anyone types stays as it was typed, blanks included", () => {
  for (const typed of ["", " ", "daily  logs ", "Ångström 100%", "a ".repeat(SEARCH_WORDS)])
    expect(cutSearch(typed)).toBe(typed);
});

test("twenty words are looked for, and four hundred characters", () => {
  const words = Array.from({ length: 6_000 }, (_, n) => `w${n}`);
  expect(cutSearch(words.join(" ")).trim().split(" ")).toEqual(words.slice(0, SEARCH_WORDS));
  expect(needlesOf(words.join("\t"))).toEqual(words.slice(0, SEARCH_WORDS));
  expect(cutSearch("x".repeat(10_000))).toHaveLength(SEARCH_CHARACTERS);
  expect(cutSearch(`x${"🏗".repeat(300)}`)).toMatch(/^x(🏗)+$/u);
});

test("a character that stands for several words is no way around it", () => {
  expect(needlesOf("\uFDFA".repeat(SEARCH_CHARACTERS))).toHaveLength(SEARCH_WORDS);
});
