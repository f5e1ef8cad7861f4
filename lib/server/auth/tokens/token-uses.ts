import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";
import { networkName } from "@/lib/server/http/client-address.mjs";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  addTokenUses,
  recordTokenNetwork,
  type TokenUses,
} from "@/lib/server/store/tokens/token-uses";

/** What the modules of tokens depend on. */
export type TokenParts = {
  database: Database;
  time: DatabaseTime;
  clock: Clock;
  securityLog: SecurityLog;
};

/** Uses are written this often. */
export const WRITTEN_EVERY_MS = 60_000;
/** Networks whose first use was recorded already. */
const REMEMBERED = 10_000;

/** Counts the uses of tokens in memory, and writes them once a minute. */
export type UsesOfTokens = {
  /** Counts a use. The first from a network is written at once. */
  record(
    token: { id: string; name: string },
    person: { id: string; name: string; email: string } | null,
    address: string,
  ): void;
  /** Writes what was counted. Never rejects. */
  flush(): Promise<void>;
};

/** `atMs`: of the last, on the monotonic clock. */
type Counted = Omit<TokenUses, "lastMs"> & { atMs: number };

/** Counts that can't be written are logged as a failure, and lost. */
export function createUsesOfTokens({
  database,
  time,
  clock,
  securityLog,
}: TokenParts): UsesOfTokens {
  const counted = new Map<string, Counted>();
  const seen = new LRUCache<string, true>({ max: REMEMBERED });
  let writing: Promise<void> = Promise.resolve();
  let isWaiting = false;

  const unrecorded = (error: unknown) => void securityLog.failed("use_unrecorded", error, null);

  async function write(uses: readonly Counted[]): Promise<void> {
    if (uses.length === 0) return;
    const databaseMs = await time.now().then(
      ({ ms }) => ms,
      () => null,
    );
    const nowMs = clock.monotonicMs();
    for (const { atMs, ...one } of uses) {
      const lastMs = (databaseMs ?? clock.nowMs()) - (nowMs - atMs);
      await addTokenUses(database, { ...one, lastMs }).catch(unrecorded);
    }
  }

  function flush(): Promise<void> {
    const uses = [...counted.values()];
    counted.clear();
    writing = writing.then(() => write(uses));
    return writing;
  }

  async function flushLater(): Promise<void> {
    isWaiting = true;
    await clock.sleep(WRITTEN_EVERY_MS);
    isWaiting = false;
    await flush();
  }

  return {
    flush,
    record(token, person, address) {
      const network = networkName(address);
      const atMs = clock.monotonicMs();
      const uses = (counted.get(token.id)?.uses ?? 0) + 1;
      counted.set(token.id, { tokenId: token.id, network, uses, atMs });
      const key = `${token.id} ${network}`;
      if (seen.has(key)) {
        if (!isWaiting) void flushLater();
        return;
      }
      seen.set(key, true);
      const record = async () => {
        const { ms } = await time.now();
        const used = { token, person, network, usedMs: ms, nowMs: clock.nowMs() };
        await recordTokenNetwork(database, used);
      };
      // Recorded by a later use if it fails.
      writing = writing.then(record).catch((error: unknown) => {
        seen.delete(key);
        unrecorded(error);
      });
      void flush();
    },
  };
}
