import { EARLIEST_MS, exactInstantMs } from "@/lib/domain/time/instant";

/** Characters that PostgreSQL can't store in text: U+0000 and unpaired surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
/** How JSON escapes them. May also match harmless text, so a match only calls for a closer check. */
const SUSPECT_JSON = /\\u(?:0000|d[89a-f])/i;

/**
 * JSON that PostgreSQL can store: one odd character in a name must not prevent recording the rest.
 * @returns the same object if nothing has to be replaced
 */
export function toStorable<T>(value: T): T {
  return SUSPECT_JSON.test(JSON.stringify(value)) ? (replaced(value) as T) : value;
}

/** Whether PostgreSQL can store a text unchanged. */
export function isStorable(text: string | null): boolean {
  return text === null || toStorable(text) === text;
}

function replaced(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(UNSTORABLE, "\u{FFFD}");
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [replaced(key), replaced(member)]),
  );
}

/** Of what `storableMs` doesn't take. */
export const NO_STORABLE_TIME = "must be an ISO 8601 time, 1970 or later";

/** Epoch milliseconds of a time that a person gives; null if it is missing, invalid or before 1970. */
export function storableMs(given: string | null): number | null {
  const ms = given === null ? null : exactInstantMs(given);
  return ms !== null && ms >= EARLIEST_MS ? ms : null;
}
