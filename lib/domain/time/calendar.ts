/** Local date and time in a time zone: numbers as text, the weekday abbreviated. */
export type Calendar = Record<
  "weekday" | "day" | "month" | "year" | "hour" | "minute" | "second",
  string
>;

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats an instant in a time zone. Formatters are cached, because creating one costs a thousand times as much as
 * using it.
 * @param ms epoch milliseconds that `hasDate` accepts
 * @param timeZone IANA name; throws a RangeError if unknown
 */
export function calendar(ms: number, timeZone: string): Calendar {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-GB", {
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
  }
  const parts = formatter.formatToParts(ms).map(({ type, value }) => [type, value]);
  return Object.fromEntries(parts) as Calendar;
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
