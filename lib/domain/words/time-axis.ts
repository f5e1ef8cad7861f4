import { zoneOffsetMs } from "@/lib/domain/time/calendar";
import { moment } from "./format";
import { dayAndMonth, dayOfMonth } from "./dates";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

/** Round steps; each divides the next longer unit. */
const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];

/** One mark of a time axis: epoch milliseconds and label. */
export type TimeTick = { atMs: number; label: string };

/**
 * Marks of a time axis at round local times: "18:00", "Fri 13" for steps of a day, "5 Nov" for longer ones.
 * @param fromMs start of the axis, `untilMs` its end; epoch milliseconds
 * @param timeZone IANA name
 * @param wanted maximum number of marks
 */
export function timeTicks(
  fromMs: number,
  untilMs: number,
  timeZone: string,
  wanted: number,
): TimeTick[] {
  const spanMs = untilMs - fromMs;
  if (!(spanMs > 0) || !(wanted >= 1)) return [];
  const stepMs = STEPS_MS.find((step) => spanMs / step <= wanted) ?? spanMs;
  const ticks: TimeTick[] = [];
  for (
    let atMs = nextAligned(fromMs, stepMs, timeZone);
    atMs <= untilMs && ticks.length < wanted;
    atMs = nextAligned(atMs + 1, stepMs, timeZone)
  ) {
    ticks.push({ atMs, label: labelOf(atMs, stepMs, timeZone) });
  }
  return ticks;
}

function labelOf(atMs: number, stepMs: number, timeZone: string): string {
  if (stepMs < DAY_MS) return moment(atMs, atMs, timeZone);
  return stepMs > 2 * DAY_MS ? dayAndMonth(atMs, timeZone) : dayOfMonth(atMs, timeZone);
}

/** The first instant at or after `ms` whose local time is a whole number of steps. */
function nextAligned(ms: number, stepMs: number, timeZone: string): number {
  const offsetMs = zoneOffsetMs(ms, timeZone);
  const alignedMs = Math.ceil((ms + offsetMs) / stepMs) * stepMs - offsetMs;
  // If the clocks change in between, the mark is at the local time of its own side.
  const shiftMs = offsetMs - zoneOffsetMs(alignedMs, timeZone);
  return alignedMs + shiftMs >= ms ? alignedMs + shiftMs : alignedMs;
}
