import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 128 random bits, ... */
const RANDOM_BYTES = 16;
/** ... and so much of our signature of them, both in base64url. */
const SIGNATURE_BYTES = 8;
const TOKEN = /^([\w-]{22})([\w-]{11})$/;

/** A new credential of a share link: what stands in its address, and nowhere else. */
export function newShareToken(authSecret: string): string {
  const random = newPreviewId();
  return `${random}${signatureOf(random, authSecret)}`;
}

/**
 * Whether we made a token. What others made up is found out without asking the database, so that guessing is no
 * work for it.
 */
export function isShareToken(given: string, authSecret: string): boolean {
  const [, random, signature] = TOKEN.exec(given) ?? [];
  if (random === undefined || signature === undefined) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(random, authSecret)));
}

/** A name that nobody guesses, for what a link preview shows; it opens nothing else. */
export function newPreviewId(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

export const isPreviewId = (given: string): boolean => /^[\w-]{22}$/.test(given);

function signatureOf(random: string, authSecret: string): string {
  return createHmac("sha256", authSecret)
    .update(`share link ${random}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString("base64url");
}
