/** Clock times as people type them: "7", "7:30", "0730", "7.30", "7 pm". A field's value is "19:30". */

/** Hours, then minutes (after a separator or as the last two of up to four digits), then half of the day. */
const TIME = /^(\d{1,2})(?:\s?[:.h]\s?(\d{1,2})?(?::\d{2})?|(\d{2}))?\s?(?:([ap])\.?(?:m\.?)?)?$/;

/**
 * Reads a typed time.
 * @param isEnd it ends a period, so it may be 24:00
 * @returns "19:30"; "" for an empty text; null if invalid
 */
export function parseTypedTime(text: string, isEnd: boolean): string | null {
  const typed = text.trim().toLowerCase();
  if (typed === "") return "";
  const found = TIME.exec(typed);
  if (found === null) return null;
  const [, hourText = "", apart, joined, half] = found;
  const hour = Number(hourText);
  const minute = Number(apart ?? joined ?? 0);
  if (isEnd && half === undefined && hour === 24 && minute === 0) return "24:00";
  const isClock = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!isClock || minute > 59) return null;
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return `${two(hours)}:${two(minute)}`;
}

const two = (value: number) => String(value).padStart(2, "0");
