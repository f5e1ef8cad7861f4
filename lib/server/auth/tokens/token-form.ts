import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Recognised by secret scanners, together with the checksum. */
export const TOKEN_PREFIX = "plb_";
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const FORM = /^plb_([\dA-Za-z]{30})([\dA-Za-z]{6})$/;

/** A new API token: the prefix, 30 random characters, and their checksum. */
export function newApiToken(): string {
  const random = Array.from(
    { length: RANDOM_CHARACTERS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  ).join("");
  return `${TOKEN_PREFIX}${random}${checksumOf(random)}`;
}

/** Whether a text has the form of a token with a correct checksum, which says nothing about its validity. */
export function isApiToken(given: string): boolean {
  const [, random, checksum] = FORM.exec(given) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** The CRC32 of a text in base 62, padded with zeros on the left. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let at = 0; at < CHECKSUM_CHARACTERS; at += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
