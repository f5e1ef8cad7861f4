import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps a text secret from whoever may read the database. */
export type Seal = {
  /** @returns printable text; another one each time */
  close(text: string): string;
  /** @returns null when it was not closed by this seal */
  open(sealed: string): string | null;
};

/**
 * The seal of one client's tokens. What was sealed for another client, with other credentials, for something else or
 * under another `AUTH_SECRET` does not open.
 * @param of what is sealed
 */
export function createSeal(
  authSecret: string,
  { origin, clientId, clientSecret }: { origin: string; clientId: string; clientSecret: string },
  of: "upstream tokens" | "id tokens" | "channel settings" = "upstream tokens",
): Seal {
  const key = Buffer.from(hkdfSync("sha256", authSecret, "", `plumbline ${of}`, 32));
  const whose = createHash("sha256")
    .update(JSON.stringify([origin, clientId, clientSecret]))
    .digest();
  return {
    close(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(whose);
      const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), closed]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
          .setAAD(whose)
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const closed = bytes.subarray(IV_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(closed), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
