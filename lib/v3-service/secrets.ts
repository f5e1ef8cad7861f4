import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from "node:crypto";

/**
 * scrypt, because a seed file may contain weak secrets chosen by people. N = 2^14, r = 8 takes about 50 ms and 16 MB,
 * off the event loop; tokens last an hour, so this is rare.
 */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** A client secret of 256 random bits. */
export function generateSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** @returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await scrypt(secret, salt, COST);
  const fields = [COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")];
  return ["scrypt", ...fields].join("$");
}

/** Whether `secret` matches the hash; compared in constant time. */
export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) {
    throw new Error("a client's secret hash is not in a form that we know");
  }
  const expected = Buffer.from(key, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(expected, await scrypt(secret, Buffer.from(salt, "base64url"), cost));
}

/**
 * Matches no secret and takes as long to compare as any other hash: unknown clients are compared with it, so that
 * response times don't reveal which clients exist.
 */
export const UNKNOWN_CLIENT_HASH = [
  "scrypt",
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(SALT_BYTES).toString("base64url"),
  Buffer.alloc(KEY_BYTES).toString("base64url"),
].join("$");

function scrypt(secret: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scryptCallback(secret, salt, KEY_BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
