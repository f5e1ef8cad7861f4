/** What calendar and clock show at a place: numbers as text, the weekday in short. */
export type Calendar = Record<
  "weekday" | "day" | "month" | "year" | "hour" | "minute" | "second",
  string
>;

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Reads the calendar of a place. Building a formatter costs a thousand times what using it does.
 * @param ms epoch milliseconds for which `hasDate`
 * @param timeZone IANA name; throws a RangeError when it is none
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

/** Whether the calendar has a date for an instant. */
export function hasDate(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** How far local time is ahead of UTC at a moment, milliseconds; negative in the west. */
export function zoneOffsetMs(ms: number, timeZone: string): number {
  if (!hasDate(ms)) return 0;
  const { year, month, day, hour, minute, second } = calendar(ms, timeZone);
  const localMs = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return localMs - Math.floor(ms / 1000) * 1000;
}
