import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { deriveKeys, type AuthSecrets, type DerivedKey, type KeyUse } from "@/lib/server/keys";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Format version, key id and ciphertext. Before versioning, only the last part. */
const SEALED = /^1\.([0-9a-f]{16})\.([\w-]{38,})$/;

/** Encrypts text against readers of the database. */
export type Seal = {
  /** @returns printable text, different each time */
  close(text: string): string;
  /** @returns null when it wasn't sealed by this seal, with the current or a configured earlier secret */
  open(sealed: string): string | null;
  /** Whether it was sealed with the current secret, so that earlier ones aren't needed for it. */
  isCurrent(sealed: string): boolean;
};

/** Context of sealed values that don't belong to an API client. */
export const OURS = { origin: "", clientId: "", clientSecret: "" };

/**
 * Seal for one client's tokens. Text sealed for another client, with other credentials, for another use or
 * under an unknown `AUTH_SECRET` can't be opened.
 * @param of what is sealed
 */
export function createSeal(
  secrets: AuthSecrets,
  { origin, clientId, clientSecret }: typeof OURS,
  of: KeyUse = "upstream tokens",
): Seal {
  const keys = deriveKeys(secrets, of);
  const [current] = keys;
  const whose = createHash("sha256")
    .update(JSON.stringify([origin, clientId, clientSecret]))
    .digest();
  return {
    close(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.secret, iv).setAAD(whose);
      const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), closed]);
      return `1.${current.id}.${bytes.toString("base64url")}`;
    },
    open(sealed) {
      const [, id, text = sealed] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const opened = id === undefined || id === key.id ? openWith(key, bytes, whose) : null;
        if (opened !== null) return opened;
      }
      return null;
    },
    isCurrent: (sealed) => SEALED.exec(sealed)?.[1] === current.id,
  };
}

/** The seals of TOTP secrets: what was sealed for one person can't be opened for another. */
export function createFactorSeals(secrets: AuthSecrets): (personId: string) => Seal {
  return (personId) => createSeal(secrets, { ...OURS, clientId: personId }, "second factors");
}

function openWith({ secret }: DerivedKey, bytes: Buffer, whose: Buffer): string | null {
  try {
    const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(whose)
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const closed = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(closed), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
