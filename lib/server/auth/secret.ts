import { createHash, randomBytes } from "node:crypto";

/** A new credential, 256 random bits, fit for a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a credential: its hex SHA-256. */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
