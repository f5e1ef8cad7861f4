import { nextSyncMs, isProblem, type ScheduledRow } from "./order";
import type { SyncAttributes, Verdict } from "./sync";
import { HOUR_MS, MINUTE_MS } from "./time/units";

/** Verdicts that are marked; other syncs are neutral. */
type Behind = Extract<Verdict, "failing" | "stale" | "late">;

/** Syncs that start in the same minute. */
export type SyncMinute = {
  /** Start of the minute, epoch milliseconds on the API's clock. */
  atMs: number;
  /** Numbers of syncs of feeds that are behind, by verdict, and of all others. */
  failing: number;
  stale: number;
  late: number;
  others: number;
};

/** The next attempt of a partner that is behind. */
export type NextAttempt = {
  atMs: number;
  partner: string;
  /** Number of its feeds behind that sync in this minute; at least 1. */
  feeds: number;
  /** Key of the only one; null: several. */
  endpointKey: string | null;
};

/** The scheduled syncs of the next hour. Instants are epoch milliseconds on the API's clock. */
export type NextHour = {
  /** Start of the current minute; the hour ends 60 minutes later. */
  fromMs: number;
  total: number;
  /** Those of feeds that are behind. */
  behind: number;
  /** Minutes with a sync, ascending. */
  minutes: SyncMinute[];
  /** The next attempt of each partner that is behind, soonest first. */
  attempts: NextAttempt[];
};

type Row = ScheduledRow & Pick<SyncAttributes, "partner_name" | "endpoint_key"> & { id: string };

/**
 * What the schedule has for the next hour. Syncs whose time has passed, and those of rows that the API no longer lists,
 * aren't part of it.
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export function nextHour(
  rows: readonly Row[],
  verdictOf: (row: Row) => Verdict | undefined,
  apiNowMs: number,
): NextHour {
  const fromMs = minuteOf(apiNowMs);
  const minutes = new Map<number, SyncMinute>();
  const attempts = new Map<string, NextAttempt>();
  let behind = 0;
  let total = 0;
  for (const row of rows) {
    const nextMs = nextSyncMs(row);
    if (nextMs === null || nextMs <= apiNowMs || nextMs >= fromMs + HOUR_MS) continue;
    const atMs = minuteOf(nextMs);
    const minute = minutes.get(atMs) ?? { atMs, failing: 0, stale: 0, late: 0, others: 0 };
    minutes.set(atMs, minute);
    total += 1;
    const word = verdictOf(row);
    if (word === undefined || !isBehind(word)) {
      minute.others += 1;
      continue;
    }
    minute[word] += 1;
    behind += 1;
    const { partner_name: partner, endpoint_key: endpointKey } = row;
    const before = attempts.get(partner);
    if (before === undefined || atMs < before.atMs)
      attempts.set(partner, { atMs, partner, feeds: 1, endpointKey });
    else if (atMs === before.atMs)
      attempts.set(partner, { ...before, feeds: before.feeds + 1, endpointKey: null });
  }
  return {
    fromMs,
    total,
    behind,
    minutes: [...minutes.values()].toSorted((a, b) => a.atMs - b.atMs),
    attempts: [...attempts.values()].toSorted((a, b) => a.atMs - b.atMs),
  };
}

/**
 * The first future sync of a feed that is behind.
 * @param apiNowMs epoch milliseconds on the API's clock, as is the result; null: none is scheduled
 */
export function nextAttemptMs(
  rows: readonly Row[],
  verdictOf: (row: Row) => Verdict | undefined,
  apiNowMs: number,
): number | null {
  let firstMs = Infinity;
  for (const row of rows) {
    const word = verdictOf(row);
    if (word === undefined || !isBehind(word)) continue;
    const nextMs = nextSyncMs(row) ?? Infinity;
    if (nextMs > apiNowMs && nextMs < firstMs) firstMs = nextMs;
  }
  return firstMs === Infinity ? null : firstMs;
}

const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

const isBehind = (word: Verdict): word is Behind => isProblem(word);
