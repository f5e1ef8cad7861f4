import type { RateLimit } from "@/lib/domain/sync";

/** Header values by lower-case name; a repeated header is a list. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** However absurd a reset is, we ask again after this. */
const LONGEST_LIMIT_MS = 120_000;
/** A 429 that does not say for how long. */
const UNTOLD_LIMIT_MS = 60_000;
/** A reset that is over by the time it is read still means that we were too fast. */
const SHORTEST_LIMIT_MS = 1_000;
/** A reset further in the past than this is no reset at all. */
const PLAUSIBLE_PAST_MS = 120_000;
const MAX_SHOWN_AHEAD_MS = 86_400_000;
/** Kept for decades: no time of the API follows from that. */
const LONGEST_AGE_MS = 1e12;

/**
 * The API's time by an answer: its `Date`, and its `Age` where a cache on the way has kept it (RFC 9111): by the date
 * alone time would stand still for as long as the cache gives the same answer, and nothing would grow old.
 * @returns epoch milliseconds; null without a date
 */
export function readDateMs(headers: Headers): number | null {
  const ms = Date.parse(single(headers, "date") ?? "");
  const ageMs = readAgeMs(headers);
  return Number.isNaN(ms) ? null : ms + (ageMs <= LONGEST_AGE_MS ? ageMs : 0);
}

/** For how long a cache on the way had kept an answer, milliseconds, by its `Age` (RFC 9111); 0 when it has none. */
export function readAgeMs(headers: Headers): number {
  return (count(headers, "age") ?? 0) * 1000;
}

/**
 * What the upstream says of its own limit.
 * @param nowMs our wall clock, epoch milliseconds; stands in for an absent `Date`
 * @returns `resetAtMs` on our wall clock, at most a day ahead; null unless all three headers make sense
 */
export function readRateLimit(headers: Headers, nowMs: number): RateLimit | null {
  const limit = count(headers, "x-ratelimit-limit");
  const remaining = count(headers, "x-ratelimit-remaining");
  const resetInMs = untilResetMs(headers, nowMs);
  if (limit === null || remaining === null || resetInMs === null) return null;
  return { limit, remaining, resetAtMs: nowMs + Math.min(resetInMs, MAX_SHOWN_AHEAD_MS) };
}

/**
 * How long a 429 makes us wait, before jitter: min(max(reset - Date, Retry-After), 120 s), and 60 s
 * when no header tells.
 * @param nowMs our wall clock, epoch milliseconds; stands in for an absent `Date`
 */
export function limitedForMs(headers: Headers, nowMs: number): number {
  const told = [untilResetMs(headers, nowMs), retryAfterMs(headers, nowMs)].filter(
    (ms) => ms !== null && ms > -PLAUSIBLE_PAST_MS,
  ) as number[];
  if (told.length === 0) return UNTOLD_LIMIT_MS;
  return Math.min(Math.max(...told, SHORTEST_LIMIT_MS), LONGEST_LIMIT_MS);
}

function untilResetMs(headers: Headers, nowMs: number): number | null {
  const resetSeconds = count(headers, "x-ratelimit-reset");
  if (resetSeconds === null) return null;
  return resetSeconds * 1000 - (readDateMs(headers) ?? nowMs);
}

/** Seconds or an HTTP date. */
function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = single(headers, "retry-after");
  if (text === undefined) return null;
  const seconds = count(headers, "retry-after");
  if (seconds !== null) return seconds * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs - (readDateMs(headers) ?? nowMs);
}

function count(headers: Headers, name: string): number | null {
  const text = single(headers, name)?.trim() ?? "";
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : null;
}

function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
