import { randomBytes, randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { sharedState } from "@/lib/server/shared-state";

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. Runs on libuv's thread pool, not the event loop. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Without vowels and easily confused characters: easy to dictate and type, and spells no words. */
const ALPHABET = "23456789bcdfghjkmnpqrstvwxz";

const decoy = () =>
  sharedState(globalThis, "password decoy", () => hashPassword(randomBytes(32).toString("hex")));

/** @returns a PHC string with a random salt, of the password's NFC form */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFC"), ARGON2ID);
}

/** The forms that a stored hash may be of, usually one: earlier versions hashed passwords without normalizing. */
function formsOf(password: string): string[] {
  return [...new Set([password.normalize("NFC"), password, password.normalize("NFD")])];
}

/**
 * Whether a password matches a hash, in any Unicode normalization form. Takes the same time without a hash (an unknown
 * or disabled account), so that timing doesn't reveal which accounts exist.
 * @param passwordHash PHC string, or null
 */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  // Awaited on both paths, so that the first call takes the same time in either case.
  const otherwise = await decoy();
  for (const form of formsOf(password)) {
    if (await verify(passwordHash ?? otherwise, form)) return passwordHash !== null;
  }
  return false;
}

/** A random password to copy: 28 characters, 133 bits. */
export function generatePassword(): string {
  return randomText(28);
}

/** Random text that is easy to copy by hand, about 4.75 bits a character. */
export function randomText(characters: number): string {
  return Array.from({ length: characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
