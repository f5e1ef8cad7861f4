import { expect, test } from "vitest";
import { needlesOf } from "./fold-text";
import { cutSearch, SEARCH_CHARACTERS, SEARCH_WORDS } from "./search-limits";

test("leaves an ordinary search unchanged, including blanks", () => {
  for (const typed of ["", " ", "daily  logs ", "Ångström 100%", "a ".repeat(SEARCH_WORDS)])
    expect(cutSearch(typed)).toBe(typed);
});

test("keeps twenty words and four hundred characters", () => {
  const words = Array.from({ length: 6_000 }, (_, n) => `w${n}`);
  expect(cutSearch(words.join(" ")).trim().split(" ")).toEqual(words.slice(0, SEARCH_WORDS));
  expect(needlesOf(words.join("\t"))).toEqual(words.slice(0, SEARCH_WORDS));
  expect(cutSearch("x".repeat(10_000))).toHaveLength(SEARCH_CHARACTERS);
  expect(cutSearch(`x${"🏗".repeat(300)}`)).toMatch(/^x(🏗)+$/u);
});

test("applies the limit to characters that fold into several words", () => {
  expect(needlesOf("\uFDFA".repeat(SEARCH_CHARACTERS))).toHaveLength(SEARCH_WORDS);
});
