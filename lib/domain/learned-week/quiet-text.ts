import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { DAY_LABEL } from "@/lib/domain/time/calendar-names";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import type { Judgement } from "@/lib/domain/verdict";
import { DAY_MINUTES, minuteOfWeek, WEEK_MINUTES, weekTime } from "./week-span";

/** Times are named to the quarter of an hour: what is learned isn't more precise. */
const NAMED_MINUTES = 15;
const MAX_NAMED = 2;

/** In place of the times where there is no room for them: they are in the title or the explanation. */
export const QUIET_LABEL = "learned quiet times";

/** `spans` as in our JSON: "sat 00:00"; in the order of the week. */
type QuietWeek = Pick<LearnedWeekFacts, "spans" | "time_zone">;

/**
 * "learned: quiet on Sat and Sun"; "learned: quiet from Mon 18:00 to Tue 08:00 and 4 more times a week, Oslo time".
 * @param readerZone IANA name, in which the reader sees other times; null: not known. Of whole days in this zone, no
 * zone is named.
 */
export function learnedQuiet(week: QuietWeek, readerZone: string | null): string {
  return `learned: quiet ${quietTimes(week, readerZone)}`;
}

/** "on Sat and Sun"; "on Sat and Sun, Oslo time". @param readerZone as of `learnedQuiet` */
export function quietTimes({ spans, time_zone }: QuietWeek, readerZone: string | null): string {
  const isClear = time_zone === readerZone && spans.every(isWholeDays);
  return isClear ? timesOf(spans) : `${timesOf(spans)}, ${zoneTimeText(time_zone)}`;
}

function timesOf(spans: QuietWeek["spans"]): string {
  const all = spans.map(named);
  const shown = all.length > MAX_NAMED ? all.slice(0, 1) : all;
  const more = all.length - shown.length;
  return `${shown.join(" and ")}${more === 0 ? "" : ` and ${more} more times a week`}`;
}

/**
 * What is to be said wherever a learned week moves a verdict; empty: it doesn't.
 * @param readerZone as of `learnedQuiet`
 */
export function quietNote(
  { reasons }: Pick<Judgement, "reasons">,
  readerZone: string | null,
): string {
  const quiet = reasons.find(({ code }) => code === "learned_quiet");
  return quiet?.code === "learned_quiet" ? learnedQuiet(quiet, readerZone) : "";
}

type QuietSpan = QuietWeek["spans"][number];

/** As it is named: minutes of the week, and how many it lasts. */
function roundedSpan({ from, until }: QuietSpan): { start: number; lasts: number } {
  const start = nearest(from);
  return { start, lasts: (nearest(until) - start + WEEK_MINUTES) % WEEK_MINUTES };
}

function isWholeDays(span: QuietSpan): boolean {
  const { start, lasts } = roundedSpan(span);
  return lasts > 0 && start % DAY_MINUTES === 0 && lasts % DAY_MINUTES === 0;
}

function named(span: QuietSpan): string {
  const { from, until } = span;
  const { start, lasts } = roundedSpan(span);
  if (lasts === 0)
    return `from ${timeName(minuteOfWeek(from))} to ${timeName(minuteOfWeek(until))}`;
  if (!isWholeDays(span)) return `from ${timeName(start)} to ${timeName(start + lasts)}`;
  const first = Math.floor(start / DAY_MINUTES);
  const days = Array.from({ length: lasts / DAY_MINUTES }, (_, at) => dayName(first + at));
  return days.length > 2
    ? `from ${days[0] ?? ""} to ${days.at(-1) ?? ""}`
    : `on ${days.join(" and ")}`;
}

function nearest(time: string): number {
  return Math.round(minuteOfWeek(time) / NAMED_MINUTES) * NAMED_MINUTES;
}

function timeName(minute: number): string {
  const [, clock = ""] = weekTime(minute).split(" ");
  return `${dayName(Math.floor(minute / DAY_MINUTES))} ${clock}`;
}

function dayName(day: number): string {
  return DAY_LABEL[WEEKDAYS[day % 7] ?? "mon"];
}
