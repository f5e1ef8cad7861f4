import { createHash, hkdfSync } from "node:crypto";

/**
 * Every key of Plumbline follows from `AUTH_SECRET`, by HKDF-SHA-256 under a label of its own, so that none tells
 * anything of another. The list is docs/keys.md.
 */

/** What keys are for; `plumbline ` and this is the label that a key is derived under, and never changes. */
export const KEY_USES = [
  "audit log",
  "backups",
  "channel settings",
  "id tokens",
  "share links",
  "upstream tokens",
  "v3 signing keys",
] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** The present secret, then those of `EARLIER_AUTH_SECRETS`, which open and verify what is older. */
export type AuthSecrets = readonly [current: string, ...earlier: string[]];

export type DerivedKey = {
  /** 16 hex digits that follow from the key and don't lead back to it: its version, in what it made. */
  id: string;
  secret: Buffer;
};

/** 32 bytes for one use. */
export function deriveKey(authSecret: string, use: KeyUse): DerivedKey {
  return keyOf(Buffer.from(hkdfSync("sha256", authSecret, "", `plumbline ${use}`, 32)));
}

/** The key of each secret for one use, the present one first. */
export function deriveKeys(secrets: AuthSecrets, use: KeyUse): [DerivedKey, ...DerivedKey[]] {
  const [current, ...earlier] = secrets;
  return [deriveKey(current, use), ...earlier.map((secret) => deriveKey(secret, use))];
}

export function keyOf(secret: Buffer): DerivedKey {
  return { id: createHash("sha256").update(secret).digest("hex").slice(0, 16), secret };
}
