import { inOwnOrder } from "./in-own-order";

const MOST_LETTERS = 120;

/**
 * A name as it may stand in a sentence, whoever chose it: on one line, no longer than anybody reads, and without the
 * marks that turn the text behind it around.
 */
export function plainName(name: string): string {
  const plain = inOwnOrder(name.slice(0, 4 * MOST_LETTERS))
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  if (plain.length <= MOST_LETTERS) return plain;
  return `${plain.slice(0, MOST_LETTERS - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
