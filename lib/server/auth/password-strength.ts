import type { MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import type { Weakness } from "@/lib/contracts/people";

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

/** Of 0 to 4: more than 10^8 guesses. */
const LEAST_SCORE = 3;
/** A beginning that is hard to guess is enough, and the time it takes grows with the square of its length. */
const LOOKED_AT = 40;

let meter: Promise<ZxcvbnFactory> | undefined;

/** Takes tens of megabytes, which most processes never need. */
async function loadMeter(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new Factory({ dictionary: { ...dictionary }, graphs: adjacencyGraphs });
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
  const words = ownWords.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const found = (await meter).check(
    password.slice(0, LOOKED_AT),
    words.filter((word) => word.length > 2),
  );
  return found.score >= LEAST_SCORE ? null : reasonOf(found.sequence);
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
