import type { Weakness } from "@/lib/contracts/people";
import { foldText } from "@/lib/domain/text/fold-text";
import type { Measured, PasswordMeter } from "./password-meter";

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

const YEAR = /(?:19|20)\d\d/g;
/** Of 0 to 4: more than 10^8 guesses. */
const LEAST_SCORE = 3;
/** What is left without a year, and without what people put at the ends to please a rule: more than 10^6. */
const LEAST_CORE_SCORE = 2;
/**
 * What is wrong with a password; null: nothing.
 * @param ownWords what others know of the person: their name, their address, ours
 * @throws Error when the meter does
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
  if (whole.score < LEAST_SCORE) return reasonOf(whole);
  const core = await meter.measure(coreOf(password), words);
  return core.score < LEAST_CORE_SCORE ? reasonOf(core) : null;
}

/** The ways in which people write a name or address into a password; the meter knows other cases and digits itself. */
function writtenAsPassword(text: string): string[] {
  return [text.toLowerCase(), foldText(text)].flatMap((written) => {
    const parts = written.split(/[^\p{L}\p{N}]+/u);
    return [written, ...parts, parts.join("")];
  });
}

/** Signs and digits that stand for letters. */
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
/** Of a password that holds own words: so many more letters make it another one. */
const LEAST_OTHER_LETTERS = 4;

/** Whether hardly a letter is left of a password without some words, in any case and order and whatever is between. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const folded = foldText(password).replaceAll(YEAR, " ");
  const read = folded.replaceAll(/[@4310!$57]/g, (sign) => AS_LETTERS[sign] ?? sign);
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return [folded, read].some((text) => {
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, " "), text);
    const letters = rest.match(/\p{L}/gu)?.length ?? 0;
    return rest !== text && letters < LEAST_OTHER_LETTERS;
  });
}

/** Without years, and without up to four digits and signs at either end. */
function coreOf(password: string): string {
  const core = password
    .replaceAll(YEAR, "")
    .replace(/^\P{L}{1,4}/u, "")
    .replace(/\P{L}{1,4}$/u, "");
  return core === "" ? password : core;
}

/** By what takes most of it. */
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
