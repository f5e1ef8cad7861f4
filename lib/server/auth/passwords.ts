import { randomBytes, randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { sharedState } from "@/lib/server/shared-state";

/** OWASP's floor for argon2id: 19 MiB, two passes, one lane. Runs on libuv's threads, not the event loop. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Without 0/O, 1/I/l and vowels: read aloud and typed without mistakes, and spells nothing. */
const ALPHABET = "23456789bcdfghjkmnpqrstvwxz";

const decoy = () =>
  sharedState(globalThis, "password decoy", () => hashPassword(randomBytes(32).toString("hex")));

/** @returns a PHC string with its own salt; the same however a keyboard composes the accents */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFC"), ARGON2ID);
}

/** Every text that a stored hash may be of: earlier versions hashed what was typed as it was. Mostly just one. */
function formsOf(password: string): string[] {
  return [...new Set([password.normalize("NFC"), password, password.normalize("NFD")])];
}

/**
 * Whether a password is the one behind a hash, however its accents are composed. Takes the same time when there is no hash (an unknown
 * or disabled person), so that the time tells nothing about who has an account.
 * @param passwordHash PHC string, or null
 */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  // Awaited on both paths, so that making the decoy costs the first caller the same in either case.
  const otherwise = await decoy();
  for (const form of formsOf(password)) {
    if (await verify(passwordHash ?? otherwise, form)) return passwordHash !== null;
  }
  return false;
}

/** A password for a person to copy: 24 characters, about 114 bits. */
export function generatePassword(): string {
  return Array.from({ length: 24 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
