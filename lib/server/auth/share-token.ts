import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKey, type AuthSecrets } from "@/lib/server/keys";

/** A token is 128 random bits, in base64url, ... */
const RANDOM_BYTES = 16;
/** ... followed by the start of their HMAC, in base64url. */
const SIGNATURE_BYTES = 8;
const TOKEN = /^([\w-]{22})([\w-]{11})$/;

/** What a token opens: one for a calendar is no token for a share link. */
type Opens = "share link" | "calendar";

/** A new credential for a link. It appears only in the link's URL. */
export function newShareToken(authSecret: string, opens: Opens = "share link"): string {
  const random = newPreviewId();
  return `${random}${signatureOf(opens, random, signingKey(authSecret))}`;
}

/**
 * Returns a check of whether a token has a valid signature, so that guessed tokens cause no database queries.
 * @param authSecrets signatures by any of them are accepted
 */
export function createShareTokenCheck(
  authSecrets: AuthSecrets,
  opens: Opens = "share link",
): (given: string) => boolean {
  // Older links, which expire within 30 days, are signed with the secret itself instead of a derived key.
  const keys = authSecrets.flatMap((secret) => [signingKey(secret), secret]);
  return (given) => {
    const [, random, signature] = TOKEN.exec(given) ?? [];
    if (random === undefined || signature === undefined) return false;
    const isOf = (key: Buffer | string) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(opens, random, key)));
    return keys.some(isOf);
  };
}

/** An unguessable id for a link's preview picture. It gives access to nothing else. */
export function newPreviewId(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

export const isPreviewId = (given: string): boolean => /^[\w-]{22}$/.test(given);

const signingKey = (authSecret: string) => deriveKey(authSecret, "share links").secret;

function signatureOf(opens: Opens, random: string, key: Buffer | string): string {
  return createHmac("sha256", key)
    .update(`${opens} ${random}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString("base64url");
}
