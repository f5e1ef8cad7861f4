import { lockUntilCommit, V3_LOCKS } from "./store/locks";
import { randomBytes } from "node:crypto";
import { desc, isNull } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { signingKeys } from "./store/schema";

export type SigningKey = { kid: string; secret: Uint8Array };

/** Keys in use, newest first: the first signs, all of them verify. */
export type KeyRing = {
  newest(): Promise<SigningKey>;
  /** Null when no such key is in use. */
  find(kid: string): Promise<SigningKey | null>;
};

/** HS256 wants at least as many bits as its hash has. */
const KEY_BYTES = 32;
/** How long a key retired elsewhere may still be believed, and how often a strange `kid` makes us look. */
const REREAD_MS = 10_000;

/** Makes the first signing key, unless there is one. Safe when several processes start at once. */
export async function ensureSigningKey(database: Database, nowMs: number): Promise<void> {
  await database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.signingKey);
    const [known] = await tx
      .select({ kid: signingKeys.kid })
      .from(signingKeys)
      .where(isNull(signingKeys.retiredAt))
      .limit(1);
    if (known) return;
    await tx.insert(signingKeys).values({
      kid: randomBytes(8).toString("hex"),
      secret: randomBytes(KEY_BYTES),
      createdAt: new Date(nowMs),
    });
  });
}

/** The stored keys, read again now and then so that a key added or retired elsewhere is noticed. */
export function createKeyRing(database: Database, nowMs: () => number): KeyRing {
  let keys: Promise<SigningKey[]> = Promise.resolve([]);
  let readAtMs = -Infinity;

  function current(): Promise<SigningKey[]> {
    if (Math.abs(nowMs() - readAtMs) < REREAD_MS) return keys;
    readAtMs = nowMs();
    keys = readKeys(database);
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

/** Async, because a query of Drizzle's is no promise: it runs anew for everyone who awaits it. */
async function readKeys(database: Database): Promise<SigningKey[]> {
  return await database.orm
    .select({ kid: signingKeys.kid, secret: signingKeys.secret })
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt))
    .orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid));
}
