import { lockUntilCommit, V3_LOCKS } from "./store/locks";
import { randomBytes } from "node:crypto";
import { desc, eq, inArray, isNull } from "drizzle-orm";
import { TOKEN_LIFETIME_SECONDS } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { signingKeys } from "./store/schema";

export type SigningKey = { kid: string; secret: Uint8Array };

/** Keys in use, newest first: the first signs, all of them verify. */
export type KeyRing = {
  newest(): Promise<SigningKey>;
  /** Null when no such key is in use. */
  find(kid: string): Promise<SigningKey | null>;
};

/** Keeps keys secret from anyone who may read the database. */
export type KeySeal = {
  close(text: string): string;
  /** Null when it was sealed with a secret that isn't known any more. */
  open(sealed: string): string | null;
};

/** HS256 wants at least as many bits as its hash has. */
const KEY_BYTES = 32;
/** How long a key that was replaced elsewhere may still sign, and how often a strange `kid` makes us look. */
const REREAD_MS = 10_000;
/** For so long after another key has replaced it, a key verifies: its last token has expired by then. */
const OVERLAP_MS = TOKEN_LIFETIME_SECONDS * 1000 + 2 * REREAD_MS;

type StoredKey = typeof signingKeys.$inferSelect;
type Tx = Parameters<Parameters<Database["orm"]["transaction"]>[0]>[0];

/**
 * Sees to it that there is a signing key: makes one where none can be opened, and seals one that lies in clear, as
 * earlier versions kept it. Safe when several processes start at once.
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
 * Makes a new signing key. Those before it verify until the tokens that they signed have expired.
 * @returns the new key's `kid`, and for how many seconds the ones before it are still needed
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
 * Seals every key with the present secret.
 * @returns how many were sealed again, already were, and can't be opened with any secret that is known
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

/** The stored keys, read again now and then so that a key added or retired elsewhere is noticed. */
export function createKeyRing(database: Database, seal: KeySeal, nowMs: () => number): KeyRing {
  let keys: Promise<SigningKey[]> = Promise.resolve([]);
  let readAtMs = -Infinity;

  function current(): Promise<SigningKey[]> {
    if (Math.abs(nowMs() - readAtMs) < REREAD_MS) return keys;
    readAtMs = nowMs();
    keys = readKeys(database, seal, readAtMs);
    // A failed read is not remembered.
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

/** Keys that can be opened and are still needed; the others are removed. */
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
      // One that lies in clear now was put there by someone else: a start has sealed ours.
      const secret = isClear(key) ? null : openKey(seal, key);
      return secret === null ? [] : [{ kid: key.kid, secret }];
    });
}

/** Newest first. Async, because a query of Drizzle's is no promise: it runs again for everyone who awaits it. */
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
  // The newest signs, also after a clock was set back.
  const createdMs = Math.max(nowMs, (newest?.createdAt.getTime() ?? 0) + 1);
  await tx.insert(signingKeys).values({
    kid,
    secret: sealed(seal, randomBytes(KEY_BYTES)),
    createdAt: new Date(createdMs),
  });
  return kid;
}

/** Earlier versions kept the bytes of the key themselves; what is sealed is longer. */
const isClear = ({ secret }: StoredKey) => secret.length === KEY_BYTES;

const sealed = (seal: KeySeal, secret: Buffer) =>
  Buffer.from(seal.close(secret.toString("base64url")), "utf8");

function openKey(seal: KeySeal, key: StoredKey): Buffer | null {
  if (isClear(key)) return key.secret;
  const opened = seal.open(key.secret.toString("utf8"));
  return opened === null ? null : Buffer.from(opened, "base64url");
}
