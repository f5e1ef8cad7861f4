/** Engines parse almost any other text as some instant. */
const INSTANT =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Cache of parsed texts. Every tick of the clock parses the same few texts again for every row; without the cache, that
 * was most of the cost of a board with thousands of rows.
 */
const known = new Map<string, number | null>();
const MOST_KNOWN = 50_000;

/**
 * Parses a timestamp of the API.
 * Text without a zone is read as UTC; as local time, server and browser would disagree.
 * @param text ISO 8601, or null
 * @returns epoch milliseconds; null for null and for text that isn't an instant
 */
export function instantMs(text: string | null): number | null {
  if (text === null) return null;
  const before = known.get(text);
  if (before !== undefined) return before;
  const ms = read(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, ms);
  return ms;
}

function read(text: string): number | null {
  const { day = "", time = "00:00", zone = "Z" } = INSTANT.exec(text)?.groups ?? {};
  const dayMs = Date.parse(`${day}T00:00Z`);
  // Engines read 30 February as 2 March.
  if (Number.isNaN(dayMs) || iso(dayMs).slice(0, day.length) !== day) return null;
  const offset = /\d/.test(zone) ? zone.replace(/(\d{2})(\d{2})$/, "$1:$2") : "Z";
  const ms = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(ms) ? null : ms;
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
  return iso(Math.max(0, Math.min(ms, Date.parse("9999-12-31T23:59:59Z"))));
}
