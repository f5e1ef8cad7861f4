import type { MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import type { Weakness } from "@/lib/contracts/people";
import { foldText } from "@/lib/domain/text/fold-text";

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

const YEAR = /(?:19|20)\d\d/g;
/** Of 0 to 4: more than 10^8 guesses. */
const LEAST_SCORE = 3;
/** What is left without a year, and without what people put at the ends to please a rule: more than 10^6. */
const LEAST_CORE_SCORE = 2;
/** A beginning that is hard to guess is enough, and the time it takes grows with the square of its length. */
const LOOKED_AT = 40;
/** Of the 89,000 that there are, in the order of how many people have them. */
const MOST_SURNAMES = 10_000;
/** Ways to read digits and signs as letters that are tried: each is another check of the whole. */
const MOST_SUBSTITUTIONS = 6;

let meter: Promise<ZxcvbnFactory> | undefined;

/** Takes tens of megabytes, which most processes never need. */
async function loadMeter(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  const { dictionary } = english;
  const lists = [
    common.dictionary["passwords-common"],
    common.dictionary["diceware-common"],
    dictionary["commonWords-en"],
    dictionary["firstnames-en"],
    dictionary["lastnames-en"].slice(0, MOST_SURNAMES),
  ];
  return new Factory({
    dictionary: { words: byRank(lists) },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  });
}

/** One list of several, the most frequent first: a check takes a time that grows with how many lists there are. */
function byRank(lists: readonly (readonly (string | number)[])[]): (string | number)[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const words = new Set<string | number>();
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const word = list[rank];
      if (word !== undefined) words.add(word);
    }
  }
  return [...words];
}

/**
 * What is wrong with a password; null: nothing.
 * @param ownWords what others know of the person: their name, their address, ours
 */
export async function weaknessOf(
  password: string,
  ownWords: readonly string[],
): Promise<Weakness | null> {
  if (Array.from(password).length < SHORTEST_PASSWORD) return "short";
  if (password.length > LONGEST_PASSWORD) return "long";
  meter ??= loadMeter().catch((error: unknown) => {
    meter = undefined;
    throw error;
  });
  const words = ownWords.flatMap(writtenAsPassword).filter((word) => word.length > 2);
  if (isMadeOf(words, password)) return "own-words";
  const ready = await meter;
  const looked = password.slice(0, LOOKED_AT);
  const whole = ready.check(looked, words);
  if (whole.score < LEAST_SCORE) return reasonOf(whole.sequence);
  const core = ready.check(coreOf(looked), words);
  return core.score < LEAST_CORE_SCORE ? reasonOf(core.sequence) : null;
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
function reasonOf(sequence: readonly MatchExtended[]): Weakness {
  const [most] = sequence.toSorted((a, b) => b.token.length - a.token.length);
  switch (most?.pattern) {
    case "repeat":
      return "repeated";
    case "sequence":
    case "spatial":
      return "row";
    case "date":
    case "regex":
      return "date";
    case "dictionary":
      return most.dictionaryName === "userInputs" ? "own-words" : "common";
    case undefined:
    default:
      return "guessable";
  }
}
