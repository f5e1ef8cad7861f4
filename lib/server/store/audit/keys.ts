import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "@/lib/server/file-problem.mjs";
import { deriveKey, keyOf, type DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";

/**
 * Keys that sign the audit log. They aren't stored in the database, so write access to it isn't enough to
 * create a valid row. See docs/decisions/0012-the-audit-log-is-signed.md.
 */

/** Rows refer to their key by id. */
type AuditKey = DerivedKey;

export type AuditKeys = {
  /** Signs new rows. */
  current: AuditKey;
  /** Secrets of all known keys by id, including the current one. */
  known: ReadonlyMap<string, Buffer>;
};

/** Directory in DATA_DIR: one file per key that was ever current there, named by its id. */
const KEPT = "audit-keys";

/** Derives the key from an AUTH_SECRET: identical in every instance with the same secret. */
export function deriveAuditKey(authSecret: string): AuditKey {
  return deriveKey(authSecret, "audit log");
}

/** @param earlier keys that signed rows before `current` */
export function auditKeys(current: AuditKey, earlier: readonly AuditKey[] = []): AuditKeys {
  return { current, known: keysById([...earlier, current]) };
}

export function keysById(keys: readonly AuditKey[]): ReadonlyMap<string, Buffer> {
  return new Map(keys.map(({ id, secret }) => [id, secret]));
}

/**
 * All keys known to this installation; newly learned ones are stored in `dataDir`.
 * @param authSecret signs new rows
 */
export function openAuditKeys(
  { dataDir, earlierAuthSecrets }: { dataDir: string; earlierAuthSecrets: readonly string[] },
  authSecret: string,
  log: Log,
): AuditKeys {
  const current = deriveAuditKey(authSecret);
  const earlier = earlierAuthSecrets.map(deriveAuditKey);
  try {
    keepKeys(dataDir, [...earlier, current]);
  } catch (err) {
    log.warn({ err }, "the key of the audit log was not kept in DATA_DIR");
  }
  try {
    return auditKeys(current, [...readKeptKeys(dataDir), ...earlier]);
  } catch (err) {
    log.error({ err }, "the earlier keys of the audit log cannot be read");
    return auditKeys(current, earlier);
  }
}

/**
 * Keys stored in `dataDir`.
 * @throws Error with a readable message if one doesn't match its name
 */
export function readKeptKeys(dataDir: string): AuditKey[] {
  const directory = path.join(dataDir, KEPT);
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`${directory} can't be read.`, { cause: error });
  }
  return names
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => {
      const file = path.join(directory, name);
      let content: string;
      try {
        content = readFileSync(file, "utf8");
      } catch (cause) {
        throw new Error(`${file} can't be read.`, { cause });
      }
      const key = keyOf(Buffer.from(content.trim(), "base64url"));
      if (key.id !== name) throw new Error(`${file} doesn't hold the key it is named after.`);
      return key;
    });
}

/**
 * Stores keys in `dataDir` (0600), so that rows they signed can be verified after AUTH_SECRET changes.
 * @throws Error of the file system
 */
function keepKeys(dataDir: string, keys: readonly AuditKey[]): void {
  const directory = path.join(dataDir, KEPT);
  makeFolder(directory);
  const kept = new Set(readdirSync(directory));
  for (const { id, secret } of keys) {
    if (kept.has(id)) continue;
    const file = path.join(directory, id);
    // Written atomically; several processes may write the same content.
    const temporary = `${file}.${randomUUID()}`;
    writeFileSync(temporary, `${secret.toString("base64url")}\n`, { mode: 0o600, flush: true });
    renameSync(temporary, file);
  }
}
