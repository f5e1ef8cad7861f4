import { createHash, randomBytes } from "node:crypto";

/** A new credential: 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The hex SHA-256 of a credential, which is stored in place of it. */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
