import { within } from "@/lib/server/waiting";
import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { MaybePromise } from "@/lib/server/maybe-promise";

/** Revocation and every other change of a row take effect within this, plus one query: the promise is 5 s. */
export const RECHECK_MS = 3_000;
/** Longer than this for one row is as good as no database. */
const QUERY_TIMEOUT_MS = 2_000;
/** Who only wants to look is answered from memory sooner, where memory knows the row. */
const READING_TIMEOUT_MS = 300;
/**
 * After a failed check the database is left alone for this long, and memory answers. One that was only not
 * back in time for a look spares it the other looks; who is unknown or wants more still asks.
 */
const SILENCE_MS = 1_000;
/** While the database is away memory answers for rows that were good this shortly before. */
const TRUSTED_BEFORE_OUTAGE_MS = 3_600_000;
const REMEMBERED = 10_000;

export type Checked<T> =
  | {
      state: "known";
      value: T;
      /**
       * False: the database does not answer, and this was so when it last did. Good for looking at what
       * was there, for nothing else.
       */
      isConfirmed: boolean;
    }
  | { state: "unknown" }
  /** The database does not answer and we have never seen this: neither yes nor no. */
  | { state: "unavailable" };

export type RevalidatingCache<T> = {
  /**
   * What a credential stands for; at once where it was read lately. Never throws.
   * @param id hex SHA-256 of the credential's secret
   * @param isReadOnly nothing will be changed, so an unconfirmed answer in good time is the better one
   */
  check(id: string, isReadOnly?: boolean): MaybePromise<Checked<T>>;
  /** The next check asks the database. */
  forget(id: string): void;
  /** So does the next check of each; while the database is away memory still answers. */
  recheckAll(): void;
};

/** The answer is not back in time; it still counts when it comes. */
class Late extends Error {}

/**
 * Rows behind credentials, read again every few seconds, and for looking from memory while the database
 * is away.
 * @param read null: there is no such row, or it is no longer good; `lastsMs`: for how long it still is
 * @param what for the log
 */
export function createRevalidatingCache<T extends { lastsMs: number }>({
  read,
  what,
  clock,
  securityLog,
  most = REMEMBERED,
}: {
  read: (id: string) => Promise<T | null>;
  what: "sessions" | "displays" | "links";
  clock: Clock;
  securityLog: SecurityLog;
  /** How many are remembered. */
  most?: number;
}): RevalidatingCache<T> {
  /** `round`: as many times as everything was to be checked again before it was read. */
  type Remembered = { value: T; checkedAtMs: number; round: number };
  const remembered = new LRUCache<string, Remembered>({ max: most });
  const reading = new Map<string, Promise<T | null>>();
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let sparedUntilMs = Number.NEGATIVE_INFINITY;
  let outageSinceMs: number | null = null;
  let round = 0;

  /** One question at a time for each row; its answer counts whenever it comes. */
  function reread(id: string): Promise<T | null> {
    let answer = reading.get(id);
    if (!answer) {
      // The age counts from before the question: what is revoked while it is asked is not missed for longer.
      const checked = { checkedAtMs: clock.monotonicMs(), round };
      answer = read(id)
        .then((value) => {
          outageSinceMs = null;
          if (value) remembered.set(id, { value, ...checked });
          else remembered.delete(id);
          return value;
        })
        .finally(() => reading.delete(id));
      // Whoever asked may have gone by then.
      answer.catch(() => undefined);
      reading.set(id, answer);
    }
    return answer;
  }

  /** On the steady clock: no jump of the other makes an end come sooner or later. */
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
    const askedMs = clock.monotonicMs();
    if (askedMs < silentUntilMs || (!isPatient && askedMs < sparedUntilMs)) return fromMemory(id);
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
