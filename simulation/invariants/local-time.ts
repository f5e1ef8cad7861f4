const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    weekday: "short",
  });
  formats.set(timeZone, format);
  return format;
}

/** What local clocks show. */
export function localTime(
  ms: number,
  timeZone: string,
): { date: string; time: string; weekday: string } {
  const parts = formatOf(timeZone).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    date: `${of("year")}-${of("month")}-${of("day")}`,
    time: `${of("hour")}:${of("minute")}`,
    weekday: of("weekday").toLowerCase(),
  };
}

/** What local clocks are ahead of UTC, milliseconds. */
export function offsetOf(ms: number, timeZone: string): number {
  const { date, time } = localTime(ms, timeZone);
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** The first instant of the local day around an instant. */
export function startOfDay(ms: number, timeZone: string): number {
  const { date } = localTime(ms, timeZone);
  let firstMs = Math.floor(ms / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
  while (localTime(firstMs - 15 * MINUTE_MS, timeZone).date === date) firstMs -= 15 * MINUTE_MS;
  return firstMs;
}

/**
 * The first minute at which local clocks show a time or, where they skip it, a later one.
 * @param shownMs the local time, as epoch milliseconds of the same time in UTC
 */
export function firstMinuteShowing(shownMs: number, timeZone: string): number {
  const offsets = [shownMs - DAY_MS, shownMs + DAY_MS].map((ms) => offsetOf(ms, timeZone));
  let ms = shownMs - Math.max(...offsets);
  while (ms + offsetOf(ms, timeZone) < shownMs) ms += MINUTE_MS;
  return ms;
}
