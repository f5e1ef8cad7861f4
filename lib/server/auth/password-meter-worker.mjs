/**
 * Measures how hard texts are to guess, in a worker thread: a check takes milliseconds of CPU time, and the
 * dictionaries take tens of megabytes. Message format: see `password-meter.ts`.
 */
import { parentPort } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";

/** Of 89,000, most frequent first. */
const MAX_SURNAMES = 10_000;
/** Readings of digits and symbols as letters that are tried: each costs another check of the whole text. */
const MAX_SUBSTITUTIONS = 6;

const meter = new ZxcvbnFactory({
  dictionary: {
    words: byRank([
      common["passwords-common"],
      common["diceware-common"],
      english["commonWords-en"],
      english["firstnames-en"],
      english["lastnames-en"].slice(0, MAX_SURNAMES),
    ]),
  },
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
});

/**
 * Merges lists into one, most frequent words first: the time of a check grows with the number of lists.
 * @param {readonly (readonly (string | number)[])[]} lists
 */
function byRank(lists) {
  const longest = Math.max(...lists.map(({ length }) => length));
  /** @type {Set<string | number>} */
  const words = new Set();
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const word = list[rank];
      if (word !== undefined) words.add(word);
    }
  }
  return [...words];
}

/**
 * @param {{ text: string, words: string[] }} request
 * @returns {import("./password-meter").Measured}
 */
function measure({ text, words }) {
  const { score, sequence } = meter.check(text, words);
  const [most] = sequence.toSorted((a, b) => b.token.length - a.token.length);
  const dictionary = most !== undefined && "dictionaryName" in most ? most.dictionaryName : null;
  return { score, pattern: most?.pattern ?? null, dictionary: dictionary ?? null };
}

parentPort?.on("message", ({ id, ...request }) => {
  parentPort?.postMessage({ id, measured: measure(request) }, []);
});
