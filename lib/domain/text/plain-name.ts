import { inOwnOrder } from "./in-own-order";

const MAX_LETTERS = 120;

/** Makes an untrusted name safe for use in a sentence: see `plainText`. */
export function plainName(name: string): string {
  return plainText(name, MAX_LETTERS);
}

/**
 * Makes untrusted text safe for use in a sentence: on one line, truncated, without bidirectional control characters and
 * others that can't be seen. Joiners stay, because scripts and emoji need them.
 * @param most length in UTF-16 units
 */
export function plainText(text: string, most: number): string {
  const plain = inOwnOrder(text.slice(0, 4 * most))
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  if (plain.length <= most) return plain;
  return `${plain.slice(0, most - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

const INVISIBLE = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu;
