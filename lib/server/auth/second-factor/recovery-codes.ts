import { createHash } from "node:crypto";
import { randomText } from "@/lib/server/auth/passwords";

export const RECOVERY_CODES = 10;

/** About 76 bits, so that the stored hash of one can't be reversed by guessing. */
const CHARACTERS = 16;
const GROUP = 4;

/** New recovery codes, such as `7k2p-xw9d-4tqz-hc6m`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = randomText(CHARACTERS);
    return Array.from({ length: CHARACTERS / GROUP }, (_, n) =>
      text.slice(n * GROUP, (n + 1) * GROUP),
    ).join("-");
  });
}

/**
 * The hex SHA-256 that is stored in place of a recovery code.
 * @param code as generated or typed: case, spaces and hyphens don't matter
 */
export function recoveryCodeId(personId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`${personId} ${plain}`).digest("hex");
}
