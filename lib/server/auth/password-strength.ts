import type { Weakness } from "@/lib/contracts/people";
import { foldText } from "@/lib/domain/text/fold-text";
import type { Measured, PasswordMeter } from "./password-meter";

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

const YEAR = /(?:19|20)\d\d/g;
/** Minimum score, of 0 to 4: more than 10^8 guesses. */
const MIN_SCORE = 3;
/** Minimum score without years and without digits and symbols at the ends, see `coreOf`: more than 10^6 guesses. */
const MIN_CORE_SCORE = 2;
/**
 * The weakness of a password; null: strong enough.
 * @param ownWords easily guessed words: the person's name and email address, and the product's name
 * @throws Error from the meter
 */
export async function weaknessOf(
  meter: Pick<PasswordMeter, "measure">,
  password: string,
  ownWords: readonly string[],
): Promise<Weakness | null> {
  if (password.length > LONGEST_PASSWORD) return "long";
  if (Array.from(password).length < SHORTEST_PASSWORD) return "short";
  const words = [...new Set(ownWords.flatMap(writtenAsPassword))].filter(
    ({ length }) => length > 2,
  );
  if (isMadeOf(words, password)) return "own-words";
  const whole = await meter.measure(password, words);
  if (whole.score < MIN_SCORE) return reasonOf(whole);
  const core = await meter.measure(coreOf(password), words);
  return core.score < MIN_CORE_SCORE ? reasonOf(core) : null;
}

/** Spellings of a name or email address in passwords; the meter handles other cases and digits for letters. */
function writtenAsPassword(text: string): string[] {
  return [text.toLowerCase(), foldText(text)].flatMap((written) => {
    const parts = written.split(/[^\p{L}\p{N}]+/u);
    return [written, ...parts, parts.join("")];
  });
}

/** Symbols and digits that stand for letters. */
const AS_LETTERS: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};
/** Letters that a password with own words needs besides them. */
const MIN_OTHER_LETTERS = 4;

/** Whether a password has fewer than `MIN_OTHER_LETTERS` letters besides these words, in any case and order. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const folded = foldText(password).replaceAll(YEAR, " ");
  const read = folded.replaceAll(/[@4310!$57]/g, (sign) => AS_LETTERS[sign] ?? sign);
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return [folded, read].some((text) => {
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, " "), text);
    const letters = rest.match(/\p{L}/gu)?.length ?? 0;
    return rest !== text && letters < MIN_OTHER_LETTERS;
  });
}

/** The password without years, and without up to four characters other than letters at either end. */
function coreOf(password: string): string {
  const core = password
    .replaceAll(YEAR, "")
    .replace(/^\P{L}{1,4}/u, "")
    .replace(/\P{L}{1,4}$/u, "");
  return core === "" ? password : core;
}

/** The reason given for a weak password, by its longest matched pattern. */
function reasonOf({ pattern, dictionary }: Measured): Weakness {
  switch (pattern) {
    case "repeat":
      return "repeated";
    case "sequence":
    case "spatial":
      return "row";
    case "date":
    case "regex":
      return "date";
    case "dictionary":
      return dictionary === "userInputs" ? "own-words" : "common";
    case null:
    default:
      return "guessable";
  }
}
