import { lockUntilCommit, V3_LOCKS } from "./store/locks";
import { randomBytes } from "node:crypto";
import { desc, eq, inArray, isNull } from "drizzle-orm";
import { TOKEN_LIFETIME_SECONDS } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { signingKeys } from "./store/schema";

export type SigningKey = { kid: string; secret: Uint8Array };

/** Active keys, newest first: the first signs, all of them verify. */
export type KeyRing = {
  newest(): Promise<SigningKey>;
  /** Null if there is no active key with this id. */
  find(kid: string): Promise<SigningKey | null>;
};

/** Keeps keys secret from readers of the database. */
export type KeySeal = {
  close(text: string): string;
  /** Null if it was sealed with an unknown secret. */
  open(sealed: string): string | null;
};

/** HS256 requires a key at least as long as its hash. */
const KEY_BYTES = 32;
/**
 * How long a key that another process has replaced may still sign, and the minimum interval between reloads for an
 * unknown `kid`.
 */
const REREAD_MS = 10_000;
/** A replaced key verifies for this long: by then its last token has expired. */
const OVERLAP_MS = TOKEN_LIFETIME_SECONDS * 1000 + 2 * REREAD_MS;

type StoredKey = typeof signingKeys.$inferSelect;
type Tx = Parameters<Parameters<Database["orm"]["transaction"]>[0]>[0];

/**
 * Ensures that there is a signing key: creates one if none can be opened, and seals one that an earlier version stored
 * unsealed. Safe if several processes start at once.
 */
export async function ensureSigningKey(
  database: Database,
  seal: KeySeal,
  nowMs: number,
): Promise<void> {
  await database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.signingKey);
    const stored = await readStored(tx);
    for (const { kid, secret } of stored.filter(isClear)) {
      await tx
        .update(signingKeys)
        .set({ secret: sealed(seal, secret) })
        .where(eq(signingKeys.kid, kid));
    }
    const [newest] = stored;
    if (newest === undefined || openKey(seal, newest) === null) {
      await addKey(tx, stored, { seal, nowMs });
    }
  });
}

/**
 * Creates a new signing key. The previous ones verify until the tokens they signed have expired.
 * @returns the new key's `kid`, and for how many seconds the previous keys are still needed
 */
export function rotateSigningKey(
  database: Database,
  seal: KeySeal,
  nowMs: number,
): Promise<{ kid: string; overlapSeconds: number }> {
  return database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.signingKey);
    const kid = await addKey(tx, await readStored(tx), { seal, nowMs });
    return { kid, overlapSeconds: OVERLAP_MS / 1000 };
  });
}

/**
 * Seals every key with the current secret.
 * @returns numbers of keys that were resealed, already current, and impossible to open with any known secret
 */
export function resealSigningKeys(
  { orm }: Pick<Database, "orm">,
  seal: KeySeal & { isCurrent(sealed: string): boolean },
): Promise<{ resealed: number; current: number; lost: number }> {
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.signingKey);
    const counts = { resealed: 0, current: 0, lost: 0 };
    for (const key of await readStored(tx)) {
      if (!isClear(key) && seal.isCurrent(key.secret.toString("utf8"))) {
        counts.current += 1;
        continue;
      }
      const opened = openKey(seal, key);
      if (opened === null) {
        counts.lost += 1;
        continue;
      }
      await tx
        .update(signingKeys)
        .set({ secret: sealed(seal, opened) })
        .where(eq(signingKeys.kid, key.kid));
      counts.resealed += 1;
    }
    return counts;
  });
}

/** The stored keys, reloaded periodically to detect keys added or retired by other processes. */
export function createKeyRing(database: Database, seal: KeySeal, nowMs: () => number): KeyRing {
  let keys: Promise<SigningKey[]> = Promise.resolve([]);
  let readAtMs = -Infinity;

  function current(): Promise<SigningKey[]> {
    if (Math.abs(nowMs() - readAtMs) < REREAD_MS) return keys;
    readAtMs = nowMs();
    keys = readKeys(database, seal, readAtMs);
    // Don't cache a failed read.
    keys.catch(() => (readAtMs = -Infinity));
    return keys;
  }

  return {
    async newest() {
      const [key] = await current();
      if (!key) throw new Error("no signing key: the service was not started");
      return key;
    },
    async find(kid) {
      return (await current()).find((key) => key.kid === kid) ?? null;
    },
  };
}

/** Keys that can be opened and are still needed; the others are deleted. */
async function readKeys(database: Database, seal: KeySeal, nowMs: number): Promise<SigningKey[]> {
  const stored = await readStored(database.orm);
  const over = stored.filter((_, at) => {
    const next = stored[at - 1];
    return next !== undefined && nowMs - next.createdAt.getTime() > OVERLAP_MS;
  });
  if (over.length > 0) {
    const kids = over.map(({ kid }) => kid);
    await database.orm.delete(signingKeys).where(inArray(signingKeys.kid, kids));
  }
  return stored
    .filter((key) => !over.includes(key))
    .flatMap((key) => {
      // An unsealed key is not ours, because startup seals our own.
      const secret = isClear(key) ? null : openKey(seal, key);
      return secret === null ? [] : [{ kid: key.kid, secret }];
    });
}

/** Newest first. Async, because a Drizzle query isn't a promise and would run again for every await. */
async function readStored(orm: Pick<Tx, "select">): Promise<StoredKey[]> {
  return await orm
    .select()
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt))
    .orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid));
}

async function addKey(
  tx: Tx,
  [newest]: readonly StoredKey[],
  { seal, nowMs }: { seal: KeySeal; nowMs: number },
): Promise<string> {
  const kid = randomBytes(8).toString("hex");
  // The new key must be the newest, even after a clock was set back.
  const createdMs = Math.max(nowMs, (newest?.createdAt.getTime() ?? 0) + 1);
  await tx.insert(signingKeys).values({
    kid,
    secret: sealed(seal, randomBytes(KEY_BYTES)),
    createdAt: new Date(createdMs),
  });
  return kid;
}

/** Earlier versions stored the key's raw bytes; sealed ones are longer. */
const isClear = ({ secret }: StoredKey) => secret.length === KEY_BYTES;

const sealed = (seal: KeySeal, secret: Buffer) =>
  Buffer.from(seal.close(secret.toString("base64url")), "utf8");

function openKey(seal: KeySeal, key: StoredKey): Buffer | null {
  if (isClear(key)) return key.secret;
  const opened = seal.open(key.secret.toString("utf8"));
  return opened === null ? null : Buffer.from(opened, "base64url");
}
