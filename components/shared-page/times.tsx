import { zoneName } from "@/lib/domain/time/zone-name";
import { datedMoment, dayMonthYear } from "@/lib/domain/words/dates";
import { absoluteTime, clockTime, clockTimeWithSeconds } from "@/lib/domain/words/format";

/** `nowMs`: on the API's clock; `timeZone`: the reader's, IANA. */
export type When = { nowMs: number; timeZone: string };

/** A text about an instant, which is in its title. */
export function TimeText({ ms, text, timeZone }: { ms: number; text: string; timeZone: string }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={absoluteTime(ms, timeZone)}>
      {text}
    </time>
  );
}

/** "14:02:31 CET"; of another day "Fri 23 Oct, 14:02 CEST". */
export function lastCheckText(asOfMs: number, { nowMs, timeZone }: When): string {
  const isToday = dayMonthYear(asOfMs, timeZone) === dayMonthYear(nowMs, timeZone);
  const time = isToday
    ? clockTimeWithSeconds(asOfMs, timeZone)
    : datedMoment(asOfMs, nowMs, timeZone);
  return `${time} ${zoneName(asOfMs, timeZone)}`;
}

/** "14:02 CET" */
export function clockAndZone({ nowMs, timeZone }: When): string {
  return `${clockTime(nowMs, timeZone)} ${zoneName(nowMs, timeZone)}`;
}
