import { instantMs } from "@/lib/domain/time/instant";

/** What PostgreSQL refuses in a text: U+0000, and halves of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
/** How JSON writes those; seen elsewhere too, so it only says that a closer look is worth it. */
const SUSPECT_JSON = /\\u(?:0000|d[89a-f])/i;

/**
 * JSON as PostgreSQL can hold it: one odd character in a name must not keep anything from being recorded.
 * @returns the very same value when there is nothing odd in it
 */
export function toStorable<T>(value: T): T {
  return SUSPECT_JSON.test(JSON.stringify(value)) ? (replaced(value) as T) : value;
}

/** Whether PostgreSQL can hold a text as it is. */
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

/** PostgreSQL has no year 0; `instantMs` takes no year beyond 9999. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

/** Epoch milliseconds of an instant as given; null when there is none, or none that can be stored. */
export function storableMs(given: string | null): number | null {
  const ms = instantMs(given);
  return ms !== null && ms >= EARLIEST_MS ? ms : null;
}
