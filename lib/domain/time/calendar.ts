/** Local date and time in a time zone: numbers as text, the weekday abbreviated. */
export type Calendar = Readonly<
  Record<"weekday" | "day" | "month" | "year" | "hour" | "minute" | "second", string>
>;

const formatters = new Map<string, Intl.DateTimeFormat>();
/** By zone and second: the times that a page shows are formatted again every second. */
const made = new Map<string, Calendar>();
const MAX_CACHED = 2_000;

/**
 * Formats an instant in a time zone. Formatters are cached, because creating one costs a thousand times as much as
 * using it, and so is the result.
 * @param ms epoch milliseconds that `hasDate` accepts
 * @param timeZone IANA name; throws a RangeError if unknown
 */
export function calendar(ms: number, timeZone: string): Calendar {
  const key = `${Math.floor(ms / 1000)} ${timeZone}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const parts = formatterOf(timeZone)
    .formatToParts(ms)
    .map(({ type, value }) => [type, value]);
  const all = Object.fromEntries(parts) as Calendar;
  if (made.size >= MAX_CACHED) made.clear();
  made.set(key, all);
  return all;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    day: "numeric",
    month: "numeric",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Whether an instant is within the range of JavaScript dates. */
export function hasDate(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** Offset of local time from UTC at an instant, milliseconds; negative in the west. */
export function zoneOffsetMs(ms: number, timeZone: string): number {
  if (!hasDate(ms)) return 0;
  const { year, month, day, hour, minute, second } = calendar(ms, timeZone);
  const localMs = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return localMs - Math.floor(ms / 1000) * 1000;
}
