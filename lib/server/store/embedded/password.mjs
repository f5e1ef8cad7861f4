import { createHash, createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/**
 * Passwords of the roles in the embedded PostgreSQL. One secret is stored beside the data (0600): it is the
 * owner's password, and those of other roles are derived from it.
 */

const FILE = "password";

/**
 * @param {string} directory of the embedded PostgreSQL
 * @returns {string | null} null: none exists yet, and its supervisor is from a version that required none
 */
export function readPassword(directory) {
  try {
    const password = fs.readFileSync(path.join(directory, FILE), "utf8").trim();
    return /^[\w-]{40,}$/.test(password) ? password : null;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return null;
    throw error;
  }
}

/** @param {string} directory */
export function ensurePassword(directory) {
  const known = readPassword(directory);
  if (known !== null) return known;
  const password = randomBytes(32).toString("base64url");
  const temporary = path.join(directory, `${FILE}.new`);
  fs.writeFileSync(temporary, `${password}\n`, { mode: 0o600, flush: true });
  // Written atomically.
  fs.renameSync(temporary, path.join(directory, FILE));
  return password;
}

/**
 * @param {string} password the owner's password
 * @param {string} role
 */
export function passwordOf(password, role) {
  return createHmac("sha256", password).update(role).digest("base64url");
}

/**
 * Identifies a password without revealing it.
 * @param {string} password
 */
export function fingerprintOf(password) {
  return createHash("sha256").update(password).digest("hex").slice(0, 16);
}
