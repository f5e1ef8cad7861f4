import { instantMs } from "@/lib/domain/time/instant";

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

/** PostgreSQL has no year 0; `instantMs` accepts no year beyond 9999. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

/** Epoch milliseconds of a timestamp; null if it is missing, invalid or out of PostgreSQL's range. */
export function storableMs(given: string | null): number | null {
  const ms = instantMs(given);
  return ms !== null && ms >= EARLIEST_MS ? ms : null;
}
