import type { RateLimit } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Header values by lower-case name; a repeated header is a list. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longest wait, whatever the headers contain. */
const LONGEST_LIMIT_MS = 120_000;
/** Wait after a 429 without a duration. */
const DEFAULT_LIMIT_MS = 60_000;
/** Share of the API's limit that the collector leaves to user requests. */
const HEADROOM = 1 / 10;
/** A reset that has just passed still means that we were too fast. */
const SHORTEST_LIMIT_MS = 1_000;
/** A reset further in the past is ignored. */
const PLAUSIBLE_PAST_MS = 120_000;
const MAX_SHOWN_AHEAD_MS = 86_400_000;
/** Beyond decades, an age is implausible. */
const LONGEST_AGE_MS = 1e12;
/** The three forms of an HTTP date (RFC 9110); the last one, asctime's, names no zone. */
const HTTP_DATE =
  /^(?:[a-z]{3,9}, \d\d[ -][a-z]{3}[ -](?:\d\d|\d{4}) \d\d:\d\d:\d\d GMT|([a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}))$/i;

/**
 * The API's time according to a response: its `Date`, plus its `Age` if an intermediate cache stored it (RFC
 * 9111). By the date alone, time would stand still while the cache returns the same response.
 * @returns epoch milliseconds; null without a date
 */
export function readDateMs(headers: Headers): number | null {
  const ms = httpDateMs(agreed(headers, "date"));
  const ageMs = readAgeMs(headers);
  return ms === null ? null : ms + (ageMs <= LONGEST_AGE_MS ? ageMs : 0);
}

/**
 * How long an intermediate cache had stored a response, milliseconds, according to its `Age` (RFC 9111); 0
 * without one. Of several, which two caches may have added, the greatest counts.
 */
export function readAgeMs(headers: Headers): number {
  const ages = [headers["age"] ?? []].flat().flatMap((value) => value.split(","));
  return Math.max(0, ...ages.map((age) => wholeNumber(age) ?? 0)) * 1000;
}

/**
 * Reads the upstream's rate limit headers.
 * @param nowMs our wall clock, epoch milliseconds; used without a `Date`
 * @returns `resetAtMs` on our wall clock, at most a day ahead; null unless all three headers are valid
 */
export function readRateLimit(headers: Headers, nowMs: number): RateLimit | null {
  const limit = count(headers, "x-ratelimit-limit");
  const remaining = count(headers, "x-ratelimit-remaining");
  const resetInMs = untilResetMs(headers, nowMs);
  if (limit === null || remaining === null || resetInMs === null) return null;
  return { limit, remaining, resetAtMs: nowMs + Math.min(resetInMs, MAX_SHOWN_AHEAD_MS) };
}

/**
 * Wait after a 429, before jitter: min(max(reset - Date, Retry-After), 120 s), or 60 s without usable headers.
 * @param nowMs our wall clock, epoch milliseconds; used without a `Date`
 */
export function limitedForMs(headers: Headers, nowMs: number): number {
  return (
    longestOf([untilResetMs(headers, nowMs), retryAfterMs(headers, nowMs)]) ?? DEFAULT_LIMIT_MS
  );
}

/**
 * How long the collector sends nothing because too little remains of the API's limit: until its reset, but at most for
 * one of the API's windows, since a later answer would say so again. Milliseconds; 0: enough remains.
 */
export function drainedForMs({ limit, remaining, resetAtMs }: RateLimit, nowMs: number): number {
  if (remaining > limit * HEADROOM) return 0;
  return Math.min(Math.max(0, resetAtMs - nowMs), MINUTE_MS);
}

/** Wait that a 503 asks for with `Retry-After`: at most 120 s, null without a usable one. @param nowMs as above */
export function unavailableForMs(headers: Headers, nowMs: number): number | null {
  return longestOf([retryAfterMs(headers, nowMs)]);
}

function longestOf(waitsMs: readonly (number | null)[]): number | null {
  const plausible = waitsMs.filter((ms) => ms !== null && ms > -PLAUSIBLE_PAST_MS) as number[];
  if (plausible.length === 0) return null;
  return Math.min(Math.max(...plausible, SHORTEST_LIMIT_MS), LONGEST_LIMIT_MS);
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
  const seconds = wholeNumber(text);
  if (seconds !== null) return seconds * 1000;
  const atMs = httpDateMs(text);
  return atMs === null ? null : atMs - (readDateMs(headers) ?? nowMs);
}

/** From here on, months and days around a time could no longer be stored or written. */
const END_OF_DATES_MS = Date.UTC(9000, 0);

/** Null unless it is an HTTP date, before `END_OF_DATES_MS`: `Date.parse` finds a date in "foo 12" too. */
function httpDateMs(text: string | undefined): number | null {
  const [whole, asctime] = HTTP_DATE.exec(text?.trim() ?? "") ?? [];
  const ms = Date.parse(asctime === undefined ? (whole ?? "") : `${asctime} GMT`);
  return ms < END_OF_DATES_MS ? ms : null;
}

/** Infinite if it has more digits than a number. */
function wholeNumber(text = ""): number | null {
  return /^\d+$/.test(text.trim()) ? Number(text) : null;
}

function count(headers: Headers, name: string): number | null {
  const value = wholeNumber(single(headers, name));
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** A header that may be repeated, but not contradict itself. */
function agreed(headers: Headers, name: string): string | undefined {
  const values = [headers[name]].flat();
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}
