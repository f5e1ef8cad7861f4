import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKey, type AuthSecrets } from "@/lib/server/keys";

/** 128 random bits, ... */
const RANDOM_BYTES = 16;
/** ... and so much of our signature of them, both in base64url. */
const SIGNATURE_BYTES = 8;
const TOKEN = /^([\w-]{22})([\w-]{11})$/;

/** A new credential of a share link: what stands in its address, and nowhere else. */
export function newShareToken(authSecret: string): string {
  const random = newPreviewId();
  return `${random}${signatureOf(random, signingKey(authSecret))}`;
}

/**
 * Tells whether we made a token. What others made up is found out without asking the database, so that guessing is
 * no work for it.
 * @param authSecrets any of them may have signed it
 */
export function createShareTokenCheck(authSecrets: AuthSecrets): (given: string) => boolean {
  // Links from before keys were derived are signed with the secret itself; they end within 30 days.
  const keys = authSecrets.flatMap((secret) => [signingKey(secret), secret]);
  return (given) => {
    const [, random, signature] = TOKEN.exec(given) ?? [];
    if (random === undefined || signature === undefined) return false;
    const isOf = (key: Buffer | string) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(random, key)));
    return keys.some(isOf);
  };
}

/** A name that nobody guesses, for what a link preview shows; it opens nothing else. */
export function newPreviewId(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

export const isPreviewId = (given: string): boolean => /^[\w-]{22}$/.test(given);

const signingKey = (authSecret: string) => deriveKey(authSecret, "share links").secret;

function signatureOf(random: string, key: Buffer | string): string {
  return createHmac("sha256", key)
    .update(`share link ${random}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString("base64url");
}
