import type { Stretch } from "@/lib/domain/history";
import { everyWeek, quietWithin } from "@/lib/domain/quiet/planned-quiet";
import type { BriefTimes } from "./rule";

const MINUTE_MS = 60_000;

/** When briefs are due within a stretch, ascending, its beginning not included. */
export function briefTimesBetween(
  { days, at, time_zone: timeZone }: BriefTimes,
  { fromMs, untilMs }: Stretch,
): number[] {
  // A minute of each of its days; the hours that clocks skip or show twice are settled there.
  const planned = everyWeek({ days, from: at, until: minuteAfter(at), timeZone });
  return quietWithin(planned, { fromMs: fromMs - MINUTE_MS, untilMs: untilMs + MINUTE_MS })
    .map((minute) => minute.fromMs)
    .filter((ms) => fromMs < ms && ms <= untilMs);
}

/** "07:59" of "07:58", "00:00" of "23:59". */
function minuteAfter(time: string): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const next = (hours * 60 + minutes + 1) % 1_440;
  const padded = (value: number) => String(value).padStart(2, "0");
  return `${padded(Math.floor(next / 60))}:${padded(next % 60)}`;
}
