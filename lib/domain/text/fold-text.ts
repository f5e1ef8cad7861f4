import { cutSearch, SEARCH_WORDS } from "./search-limits";

/**
 * Text as people type it: without regard to case, accents or the width of letters, in any script. Marks that
 * make another letter of one (the voicing of Japanese, the vowels of Hindi) stay.
 */

/** The accents of Latin, Greek and Cyrillic. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that no decomposition takes apart, as people type them without the key. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ς: "σ",
};
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Text as it is compared: "Ångström Großbau" becomes "angstrom grossbau". */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter);
}

/**
 * What is looked for, each part of it anywhere: folded, without blanks; empty for a blank query. No more of it than
 * `cutSearch` takes.
 */
export function needlesOf(query: string): readonly string[] {
  // Folding makes several words of some characters.
  return foldText(cutSearch(query)).split(/\s+/u).filter(Boolean).slice(0, SEARCH_WORDS);
}
