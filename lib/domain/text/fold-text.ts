import { cutSearch, SEARCH_WORDS } from "./search-limits";

/**
 * Folds text for searching: ignores case, accents and letter width, in any script. Marks that form a different letter
 * (the voicing of Japanese, the vowels of Hindi) are preserved.
 */

/** The accents of Latin, Greek and Cyrillic. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters without a decomposition, as people type them on other keyboards. */
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
/** Names are mostly of these, for which case is all that there is to fold. */
const ASCII = /^[\u0020-\u007e]*$/;
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Text in comparable form: "Ångström Großbau" becomes "angstrom grossbau". */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter);
}

/**
 * The words of a search query, each to be found anywhere: folded, without blanks; empty for a blank query. Limited as
 * by `cutSearch`.
 */
export function needlesOf(query: string): readonly string[] {
  // Folding can split one character into several words.
  return foldText(cutSearch(query)).split(/\s+/u).filter(Boolean).slice(0, SEARCH_WORDS);
}

/**
 * Whether a search finds a text.
 * @param text folded
 * @param needles from `needlesOf`; without any, everything is found
 */
export function includesAll(text: string, needles: readonly string[]): boolean {
  return needles.every((needle) => text.includes(needle));
}
