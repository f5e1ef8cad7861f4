import { inOwnOrder } from "./in-own-order";

const MOST_LETTERS = 120;

/** Makes an untrusted name safe for use in a sentence: on one line, truncated, without bidirectional control characters. */
export function plainName(name: string): string {
  const plain = inOwnOrder(name.slice(0, 4 * MOST_LETTERS))
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  if (plain.length <= MOST_LETTERS) return plain;
  return `${plain.slice(0, MOST_LETTERS - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
