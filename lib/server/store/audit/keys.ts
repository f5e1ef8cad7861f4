import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "@/lib/server/file-problem.mjs";
import { deriveKey, keyOf, type DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";

/**
 * The keys that sign the audit log. None is in the database, so whoever may write everything there still
 * cannot write a row that holds. See docs/decisions/0012-the-audit-log-is-signed.md.
 */

/** Each row names its key by the key's id. */
type AuditKey = DerivedKey;

export type AuditKeys = {
  /** Signs what is written now. */
  current: AuditKey;
  /** Secrets of every key that is known, the current one included, by id. */
  known: ReadonlyMap<string, Buffer>;
};

/** In DATA_DIR: a file for each key that was ever current there, named by its id. */
const KEPT = "audit-keys";

/** The key that follows from an AUTH_SECRET: the same in every instance that has the same secret. */
export function deriveAuditKey(authSecret: string): AuditKey {
  return deriveKey(authSecret, "audit log");
}

/** @param earlier keys of rows that were written before `current` was */
export function auditKeys(current: AuditKey, earlier: readonly AuditKey[] = []): AuditKeys {
  return { current, known: keysById([...earlier, current]) };
}

export function keysById(keys: readonly AuditKey[]): ReadonlyMap<string, Buffer> {
  return new Map(keys.map(({ id, secret }) => [id, secret]));
}

/**
 * All keys that this installation knows; what it learns is kept in `dataDir`.
 * @param authSecret signs what is written from now on
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
 * The keys that were kept in `dataDir`.
 * @throws Error with a sentence when one of them is not what its name says
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
 * Keeps keys in `dataDir` (0600), so that rows which they signed can be checked after AUTH_SECRET was changed.
 * @throws Error of the file system
 */
function keepKeys(dataDir: string, keys: readonly AuditKey[]): void {
  const directory = path.join(dataDir, KEPT);
  makeFolder(directory);
  const kept = new Set(readdirSync(directory));
  for (const { id, secret } of keys) {
    if (kept.has(id)) continue;
    const file = path.join(directory, id);
    // Appears whole or not at all; several processes write the same.
    const temporary = `${file}.${randomUUID()}`;
    writeFileSync(temporary, `${secret.toString("base64url")}\n`, { mode: 0o600, flush: true });
    renameSync(temporary, file);
  }
}
