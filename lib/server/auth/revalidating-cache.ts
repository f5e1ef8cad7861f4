import { within } from "@/lib/server/waiting";
import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { MaybePromise } from "@/lib/server/maybe-promise";

/** Revocation and other changes of a row take effect within this time plus one query: at most 5 s. */
export const RECHECK_MS = 3_000;
/** A query for one row that takes longer counts as an unreachable database. */
const QUERY_TIMEOUT_MS = 2_000;
/** Same, for read-only checks of cached rows, which fall back to the cache sooner. */
const READING_TIMEOUT_MS = 300;
/**
 * Pause after a failed query, in which the cache is used. If only the timeout of a read-only check was exceeded, the
 * pause applies to other read-only checks of cached rows.
 */
const SILENCE_MS = 1_000;
/** While the database is unreachable, rows are used that were read at most this long before the outage. */
const TRUSTED_BEFORE_OUTAGE_MS = 3_600_000;
const REMEMBERED = 10_000;

export type Checked<T> =
  | {
      state: "known";
      value: T;
      /** False: from the cache while the database doesn't answer. Permits reading only. */
      isConfirmed: boolean;
    }
  | { state: "unknown" }
  /** The database doesn't answer, and the cache has no usable row. */
  | { state: "unavailable" };

export type RevalidatingCache<T> = {
  /**
   * Looks up a credential; synchronously if it was read within `RECHECK_MS`. Never throws.
   * @param id hex SHA-256 of the credential's secret
   * @param isReadOnly the request changes nothing: prefer a fast unconfirmed result
   */
  check(id: string, isReadOnly?: boolean): MaybePromise<Checked<T>>;
  /** Removes a row from the cache. */
  forget(id: string): void;
  /** Makes the next check of every row query the database; during an outage the cached rows remain usable. */
  recheckAll(): void;
};

/** The query exceeded its timeout; its result is still cached when it arrives. */
class Late extends Error {}

/**
 * A cache of the rows behind credentials: revalidated every few seconds, and used for read-only requests while the
 * database is unreachable.
 * @param read queries a row; null: missing or no longer valid; `lastsMs`: its remaining validity
 * @param what kind of credential, for the log
 */
export function createRevalidatingCache<T extends { lastsMs: number }>({
  read,
  what,
  clock,
  securityLog,
  most = REMEMBERED,
}: {
  read: (id: string) => Promise<T | null>;
  what: "sessions" | "displays" | "links" | "tokens";
  clock: Clock;
  securityLog: SecurityLog;
  /** Maximum number of cached rows. */
  most?: number;
}): RevalidatingCache<T> {
  /** `round`: number of `recheckAll` calls before the row was read. */
  type Remembered = { value: T; checkedAtMs: number; round: number };
  const remembered = new LRUCache<string, Remembered>({ max: most });
  const reading = new Map<string, Promise<T | null>>();
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let sparedUntilMs = Number.NEGATIVE_INFINITY;
  let outageSinceMs: number | null = null;
  let round = 0;

  /** Queries a row; concurrent callers share one query, whose result is cached even if it is late. */
  function reread(id: string): Promise<T | null> {
    let answer = reading.get(id);
    if (!answer) {
      // Age counts from before the query, so a revocation during the query isn't missed for longer.
      const checked = { checkedAtMs: clock.monotonicMs(), round };
      answer = read(id)
        .then((value) => {
          outageSinceMs = null;
          if (value) remembered.set(id, { value, ...checked });
          else remembered.delete(id);
          return value;
        })
        .finally(() => reading.delete(id));
      // All callers may have timed out by then: prevent an unhandled rejection.
      answer.catch(() => undefined);
      reading.set(id, answer);
    }
    return answer;
  }

  /** On the monotonic clock, so jumps of the wall clock don't shift the expiry. */
  const lasts = ({ value, checkedAtMs }: Remembered) =>
    clock.monotonicMs() - checkedAtMs < value.lastsMs;

  function fromMemory(id: string): Checked<T> {
    const entry = remembered.get(id);
    const trustedFromMs = (outageSinceMs ?? clock.monotonicMs()) - TRUSTED_BEFORE_OUTAGE_MS;
    if (!entry || !lasts(entry) || entry.checkedAtMs < trustedFromMs) {
      return { state: "unavailable" };
    }
    return { state: "known", value: entry.value, isConfirmed: false };
  }

  async function ask(id: string, isReadOnly: boolean): Promise<Checked<T>> {
    const isPatient = !isReadOnly || !remembered.has(id);
    const startedMs = clock.monotonicMs();
    if (startedMs < silentUntilMs || (!isPatient && startedMs < sparedUntilMs))
      return fromMemory(id);
    try {
      const timeoutMs = isPatient ? QUERY_TIMEOUT_MS : READING_TIMEOUT_MS;
      const value = await within(clock, timeoutMs, reread(id), () => {
        throw new Late(`no answer within ${timeoutMs} ms`);
      });
      return value ? { state: "known", value, isConfirmed: true } : { state: "unknown" };
    } catch (error) {
      const nowMs = clock.monotonicMs();
      securityLog.failed(`${what}_unchecked`, error, null);
      if (!isPatient && error instanceof Late) sparedUntilMs = nowMs + SILENCE_MS;
      else silentUntilMs = nowMs + SILENCE_MS;
      outageSinceMs ??= nowMs;
      return fromMemory(id);
    }
  }

  return {
    check(id, isReadOnly = false) {
      const entry = remembered.get(id);
      const isRecent =
        entry?.round === round && clock.monotonicMs() - entry.checkedAtMs < RECHECK_MS;
      if (isRecent && lasts(entry)) {
        return { state: "known", value: entry.value, isConfirmed: true };
      }
      return ask(id, isReadOnly);
    },

    forget: (id) => void remembered.delete(id),
    recheckAll: () => void (round += 1),
  };
}
