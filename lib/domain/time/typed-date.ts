import { MONTH_NAMES, MONTHS } from "./calendar-names";

/**
 * Dates and times as people type and read them: "24 Nov 2026, 23:18". What a field holds is a wall time of its zone:
 * "2026-11-24", or "2026-11-24T23:18" with a time.
 */

export type DateKind = "date" | "datetime";

/**
 * Reads a typed date, or a date with a time. Day, month and year may come in any unambiguous order; the default year is
 * the current one, and the default time is midnight.
 * @param today "2026-11-24", in the zone of the field
 * @returns the value of a field of that kind; "" for an empty text; null if invalid or ambiguous
 */
export function parseTyped(text: string, kind: DateKind, today: string): string | null {
  const words = text.toLowerCase().replaceAll(",", " ").split(/\s/).filter(Boolean).join(" ");
  if (words === "") return "";
  const { rest, time } = takeTime(words);
  if (time === null) return null;
  const day = rest === "" && time !== "" ? today : readDay(rest, today);
  if (day === null || (kind === "date" && time !== "")) return null;
  return kind === "date" ? day : `${day}T${time === "" ? "00:00" : time}`;
}

/** "24 Nov 2026", "24 Nov 2026, 23:18". @param value as a field holds it; what isn't a date stays as it is */
export function typedText(value: string): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}))?$/.exec(value);
  if (found === null) return value;
  const [, year = "", month = "", day = "", time] = found;
  const date = `${Number(day)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`;
  return time === undefined ? date : `${date}, ${time}`;
}

/** The time at the end of a text; "" without one, null for an invalid one. */
function takeTime(text: string): { rest: string; time: string | null } {
  const iso = /^(\d{4}-\d{1,2}-\d{1,2})t(.*)$/.exec(text);
  const apart = iso === null ? text : `${iso[1]} ${iso[2]}`;
  const found = /(?:^| )(\d{1,2})(?:[:.](\d{2})(?::\d{2})? ?([ap])?\.?m?\.?| ?([ap])\.?m\.?)$/.exec(
    apart,
  );
  // "24.11" is a day and a month; a time that is written so comes after a date.
  if (found === null || /^\d{1,2}\.\d{2}$/.test(apart)) return { rest: apart, time: "" };
  const half = found[3] ?? found[4];
  const hour = Number(found[1]);
  const minute = Number(found[2] ?? 0);
  const before = apart.slice(0, found.index);
  const rest = before.endsWith(" at") ? before.slice(0, -3) : before;
  const isClock = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!isClock || minute > 59) return { rest, time: null };
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return { rest, time: `${two(hours)}:${two(minute)}` };
}

function readDay(text: string, today: string): string | null {
  if (text === "today") return today;
  const thisYear = Number(today.slice(0, 4));
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso !== null) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4})?)?$/.exec(text);
  if (numbers !== null) {
    const [first, second] = [Number(numbers[1]), Number(numbers[3])];
    const year = numbers[4] === undefined ? thisYear : Number(numbers[4]);
    // A dot means day first; with other signs either could be the month.
    if (numbers[2] === "." || first > 12 || first === second) return dayOf(year, second, first);
    return second > 12 ? dayOf(year, first, second) : null;
  }
  const parts = text
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[. ]/, "")
    .split(/[ .-]/)
    .filter((part) => part !== "");
  const month = parts.map(monthOf).find((one) => one !== null) ?? null;
  const others = parts.filter((part) => monthOf(part) === null).map((part) => numberOf(part));
  if (month === null || parts.length !== others.length + 1) return null;
  const [day, year = thisYear, ...more] = others.toSorted((a, b) => (a ?? 0) - (b ?? 0));
  return day == null || year === null || more.length > 0 ? null : dayOf(year, month, day);
}

function monthOf(word: string): number | null {
  const at =
    word.length < 3 ? -1 : MONTH_NAMES.findIndex((name) => name.toLowerCase().startsWith(word));
  if (word === "sept") return 9;
  return at === -1 ? null : at + 1;
}

/** "24", "24th", "2026"; null for other text. */
function numberOf(word: string): number | null {
  const found = /^(\d{1,2})(?:st|nd|rd|th)?$|^(\d{4})$/.exec(word);
  return found === null ? null : Number(found[1] ?? found[2]);
}

/** Null for a day that the month doesn't have. */
function dayOf(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (year < 1000 || Number.isNaN(ms)) return null;
  return new Date(ms).toISOString().slice(0, 10) === text ? text : null;
}

const two = (value: number) => String(value).padStart(2, "0");
