import { createHash, hkdfSync } from "node:crypto";

/**
 * All keys are derived from `AUTH_SECRET` by HKDF-SHA-256, each with a different label, so that none reveals another.
 * They are listed in docs/keys.md.
 */

/** Uses of keys. The HKDF label is `plumbline ` followed by the use, so these never change. */
export const KEY_USES = [
  "audit log",
  "backups",
  "channel settings",
  "connection secrets",
  "id tokens",
  "second factors",
  "share links",
  "upstream tokens",
  "v3 signing keys",
] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** `AUTH_SECRET`, then `EARLIER_AUTH_SECRETS`, which decrypt and verify older data. */
export type AuthSecrets = readonly [current: string, ...earlier: string[]];

export type DerivedKey = {
  /** 16 hex digits of the key's hash, which identify the key in encrypted or signed data. */
  id: string;
  secret: Buffer;
};

/** Derives the 32-byte key for one use. */
export function deriveKey(authSecret: string, use: KeyUse): DerivedKey {
  return keyOf(Buffer.from(hkdfSync("sha256", authSecret, "", `plumbline ${use}`, 32)));
}

/** Derives the key for one use from each secret, the current one first. */
export function deriveKeys(secrets: AuthSecrets, use: KeyUse): [DerivedKey, ...DerivedKey[]] {
  const [current, ...earlier] = secrets;
  return [deriveKey(current, use), ...earlier.map((secret) => deriveKey(secret, use))];
}

export function keyOf(secret: Buffer): DerivedKey {
  return { id: createHash("sha256").update(secret).digest("hex").slice(0, 16), secret };
}
