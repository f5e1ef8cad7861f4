/** Engines parse almost any other text as some instant. */
const INSTANT =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Cache of parsed texts. Every tick of the clock parses the same few texts again for every row; without the cache, that
 * was most of the cost of a board with thousands of rows.
 */
const known = new Map<string, number | null>();
const MAX_CACHED = 50_000;

/** Beyond these, neither PostgreSQL nor its driver returns every instant as it was written. */
export const EARLIEST_MS = 0;
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Parses a timestamp of the API.
 * Text without a zone is read as UTC; as local time, server and browser would disagree.
 * @param text ISO 8601, or null
 * @returns epoch milliseconds within the years 1970 to 9999; what lies beyond, such as the year 1 that some programs
 * write for "never", is read as the nearest of them. Null for null and for text that isn't an instant
 */
export function instantMs(text: string | null): number | null {
  if (text === null) return null;
  const before = known.get(text);
  if (before !== undefined) return before;
  const exactMs = exactInstantMs(text);
  const ms = exactMs === null ? null : clamped(exactMs);
  if (known.size >= MAX_CACHED) known.clear();
  known.set(text, ms);
  return ms;
}

/** Like `instantMs`, in any year from 0 to 9999. */
export function exactInstantMs(text: string): number | null {
  const { day = "", time = "00:00", zone = "Z" } = INSTANT.exec(text)?.groups ?? {};
  const dayMs = Date.parse(`${day}T00:00Z`);
  // Engines read 30 February as 2 March.
  if (Number.isNaN(dayMs) || iso(dayMs).slice(0, day.length) !== day) return null;
  const offset = /\d/.test(zone) ? zone.replace(/(\d{2})(\d{2})$/, "$1:$2") : "Z";
  const ms = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(ms) ? null : ms;
}

function clamped(ms: number): number {
  return Math.max(EARLIEST_MS, Math.min(ms, LATEST_MS));
}

/** An instant in the format of our JSON. @param ms epoch milliseconds */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Like `iso`, but null for null. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

/** Like `iso`, within the years 1970 to 9999: what an upstream sends may lie beyond, even beyond what a Date can hold. */
export function clampedIso(ms: number): string {
  return iso(clamped(ms));
}
