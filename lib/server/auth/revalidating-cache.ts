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

/** Rows that were requested within this time are read ahead, together with one that is read anyway. */
const ACTIVE_MS = 30_000;
/** Rows younger than this aren't read ahead. */
const YOUNG_MS = RECHECK_MS / 2;
/** Maximum number of cached rows that are looked through for those to read ahead. */
const MAX_SCANNED = 5_000;

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
 * @param read queries rows by id; absent: missing or no longer valid; `lastsMs`: its remaining validity
 * @param mostAtOnce maximum number of rows per query. Above 1, rows of active clients are read ahead: a thousand open
 *   pages cost a query every few seconds instead of one per request
 * @param what kind of credential, for the log
 */
export function createRevalidatingCache<T extends { lastsMs: number }>({
  read,
  what,
  clock,
  securityLog,
  mostAtOnce = 1,
  most = REMEMBERED,
}: {
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  what: "sessions" | "displays" | "links" | "tokens";
  clock: Clock;
  securityLog: SecurityLog;
  mostAtOnce?: number;
  /** Maximum number of cached rows. */
  most?: number;
}): RevalidatingCache<T> {
  /** `round`: number of `recheckAll` calls before the row was read. */
  type Remembered = { value: T; checkedAtMs: number; round: number; requestedAtMs: number };
  const remembered = new LRUCache<string, Remembered>({ max: most });
  const reading = new Map<string, Promise<T | null>>();
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let sparedUntilMs = Number.NEGATIVE_INFINITY;
  let outageSinceMs: number | null = null;
  let round = 0;

  /** Queries a row; concurrent callers share one query, whose result is cached even if it is late. */
  function reread(id: string): Promise<T | null> {
    const asked = reading.get(id);
    if (asked !== undefined) return asked;
    // Age counts from before the query, so a revocation during the query isn't missed for longer.
    const checked = { checkedAtMs: clock.monotonicMs(), round };
    const ahead = outageSinceMs === null ? rowsToReadAhead(id) : [];
    const rows = read([id, ...ahead]);
    for (const one of ahead) void remember(one, rows, checked);
    return remember(id, rows, checked);
  }

  function remember(
    id: string,
    rows: Promise<ReadonlyMap<string, T>>,
    checked: Pick<Remembered, "checkedAtMs" | "round">,
  ): Promise<T | null> {
    const answer = rows
      .then((found) => {
        outageSinceMs = null;
        const value = found.get(id) ?? null;
        // Forgotten meanwhile: the row may be from before the change.
        if (reading.get(id) !== answer) return value;
        const requestedAtMs = remembered.peek(id)?.requestedAtMs ?? checked.checkedAtMs;
        if (value) remembered.set(id, { value, ...checked, requestedAtMs });
        else remembered.delete(id);
        return value;
      })
      .finally(() => {
        if (reading.get(id) === answer) reading.delete(id);
      });
    // All callers may have timed out by then: prevent an unhandled rejection.
    answer.catch(() => undefined);
    reading.set(id, answer);
    return answer;
  }

  function rowsToReadAhead(except: string): string[] {
    const nowMs = clock.monotonicMs();
    const ids: string[] = [];
    let lookedAt = 0;
    for (const [id, { checkedAtMs, requestedAtMs }] of remembered.entries()) {
      lookedAt += 1;
      if (ids.length >= mostAtOnce - 1 || lookedAt > MAX_SCANNED) break;
      const isActive = nowMs - requestedAtMs < ACTIVE_MS;
      if (isActive && nowMs - checkedAtMs > YOUNG_MS && id !== except && !reading.has(id))
        ids.push(id);
    }
    return ids;
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
      const nowMs = clock.monotonicMs();
      if (entry !== undefined) entry.requestedAtMs = nowMs;
      const isRecent = entry?.round === round && nowMs - entry.checkedAtMs < RECHECK_MS;
      if (isRecent && lasts(entry)) {
        return { state: "known", value: entry.value, isConfirmed: true };
      }
      return ask(id, isReadOnly);
    },

    forget(id) {
      remembered.delete(id);
      reading.delete(id);
    },
    recheckAll: () => void (round += 1),
  };
}

/** For rows that are read one at a time. */
export function readSingly<T>(
  read: (id: string) => Promise<T | null>,
): (ids: readonly string[]) => Promise<ReadonlyMap<string, T>> {
  return async (ids) => {
    const found = new Map<string, T>();
    for (const id of ids) {
      const value = await read(id);
      if (value !== null) found.set(id, value);
    }
    return found;
  };
}
