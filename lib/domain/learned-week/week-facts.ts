import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import type { LearnedWeek } from "./follow-week";
import { weekTime } from "./week-span";

/** A learned week as a row has it. */
export function weekFacts({ timeZone, spans, sinceMs }: LearnedWeek): LearnedWeekFacts {
  return {
    time_zone: timeZone,
    spans: spans.map(({ from, until }) => ({ from: weekTime(from), until: weekTime(until) })),
    since: iso(sinceMs),
  };
}
