import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import { within } from "@/lib/server/waiting";

/** Values are read again after this time, in case a notification was lost. */
export const RECHECK_MS = 3_000;
/** A slower query counts as an unreachable database; sooner if all values are remembered. */
const QUERY_TIMEOUT_MS = 2_000;
const REMEMBERED_TIMEOUT_MS = 300;
/** Pause after a failed query, in which remembered values are used. */
const SILENCE_MS = 1_000;

/** A key, and the version of what its value was derived from: a value of another version is read again. */
export type Versioned = { key: string; version: number };

export type BatchedCache<T> = {
  /**
   * The values of some keys; synchronously if all of them are recent. A value that didn't change remains the same
   * object. While the database doesn't answer, remembered values are used, but the first read after a change waits longer.
   * @throws Failure `unavailable`, or the error of the query, if a value isn't remembered
   */
  get(wanted: readonly Versioned[]): MaybePromise<ReadonlyMap<string, T>>;
  /** Makes the next call read a key again, or (null) all of them. */
  forget(key: string | null): void;
};

/**
 * A cache whose outdated values are read together, in one call.
 * @param read returns a value for every key; values are plain JSON and dates
 * @param most maximum number of values
 */
export function createBatchedCache<T extends object>({
  read,
  what,
  clock,
  log,
  most,
}: {
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /** For the log. */
  what: string;
  clock: Clock;
  log: Pick<Log, "warn" | "info">;
  most: number;
}): BatchedCache<T> {
  /** `isForgotten`: it may have changed since, and wasn't read again yet. */
  type Entry = {
    value: T;
    text: string;
    version: number;
    readAtMs: number;
    isForgotten: boolean;
  };
  const entries = new LRUCache<string, Entry>({ max: most });
  /** By key and version. */
  const reading = new Map<string, Promise<unknown>>();
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  const idOf = ({ key, version }: Versioned) => `${version} ${key}`;

  function isRecent(entry: Entry | undefined, version: number): entry is Entry {
    return entry?.version === version && clock.monotonicMs() - entry.readAtMs < RECHECK_MS;
  }

  function readAll(wanted: readonly Versioned[]): Promise<unknown> {
    const readAtMs = clock.monotonicMs();
    const ids = wanted.map(idOf);
    const made = read(wanted.map(({ key }) => key))
      .then((values) => {
        for (const [at, { key, version }] of wanted.entries()) {
          const value = values.get(key);
          // Forgotten meanwhile: the value may be from before the change.
          if (value === undefined || reading.get(ids[at] ?? "") !== made) continue;
          const text = JSON.stringify(value);
          const before = entries.get(key);
          const kept = before?.text === text ? before.value : value;
          entries.set(key, { value: kept, text, version, readAtMs, isForgotten: false });
        }
        return values;
      })
      .finally(() => {
        for (const id of ids) if (reading.get(id) === made) reading.delete(id);
      });
    for (const id of ids) reading.set(id, made);
    made.catch(() => undefined);
    return made;
  }

  async function refresh(
    outdated: readonly Versioned[],
    wanted: readonly Versioned[],
  ): Promise<ReadonlyMap<string, T>> {
    const isRemembered = wanted.every(({ key }) => entries.has(key));
    const isUsable = isRemembered && !wanted.some(isForgotten);
    if (isUsable && clock.monotonicMs() < silentUntilMs) return valuesOf(wanted);
    try {
      const others = outdated.filter((one) => !reading.has(idOf(one)));
      if (others.length > 0) void readAll(others);
      const all = new Set(outdated.flatMap((one) => reading.get(idOf(one)) ?? []));
      const timeoutMs = isUsable ? REMEMBERED_TIMEOUT_MS : QUERY_TIMEOUT_MS;
      await within(clock, timeoutMs, Promise.all(all), () => {
        throw new Failure("unavailable", `${what} could not be read within ${timeoutMs} ms`, {
          retryAfterSeconds: 5,
        });
      });
      if (isFailing) log.info(`${what} are read again`);
      isFailing = false;
    } catch (err) {
      silentUntilMs = clock.monotonicMs() + SILENCE_MS;
      if (!isFailing) log.warn({ err }, `${what} could not be read: showing what is in memory`);
      isFailing = true;
      if (!isRemembered) throw err;
      // Waited for once: in an outage, further requests don't wait as long.
      for (const { key } of wanted) {
        const entry = entries.get(key);
        if (entry !== undefined) entry.isForgotten = false;
      }
      return valuesOf(wanted);
    }
    // They were forgotten while they were read.
    const missing = wanted.filter((one) => !entries.has(one.key) || isForgotten(one));
    return missing.length === 0 ? valuesOf(wanted) : refresh(missing, wanted);
  }

  function isForgotten({ key }: Versioned): boolean {
    return entries.get(key)?.isForgotten ?? false;
  }

  function valuesOf(wanted: readonly Versioned[]): ReadonlyMap<string, T> {
    const values = new Map<string, T>();
    for (const { key } of wanted) {
      const entry = entries.get(key);
      if (entry === undefined) throw new Error(`${what} are not known`);
      values.set(key, entry.value);
    }
    return values;
  }

  return {
    get(wanted) {
      const outdated = wanted.filter(({ key, version }) => !isRecent(entries.get(key), version));
      return outdated.length === 0 ? valuesOf(wanted) : refresh(outdated, wanted);
    },
    forget(key) {
      for (const one of key === null ? [...entries.keys()] : [key]) {
        const entry = entries.get(one);
        if (entry === undefined) continue;
        entry.readAtMs = Number.NEGATIVE_INFINITY;
        entry.isForgotten = true;
      }
      for (const id of reading.keys())
        if (key === null || id.endsWith(` ${key}`)) reading.delete(id);
    },
  };
}
