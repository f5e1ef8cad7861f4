import { deadlineDays, isLiving } from "@/lib/domain/deadlines/calendar";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import type { Period } from "@/lib/domain/history";
import type { Steps } from "@/lib/domain/steps";
import { wholeQuietWithin, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { SECOND_MS } from "@/lib/domain/time/units";
import type { CalendarEvent } from "./icalendar";

/** A planned time and what it is about; names as given. Neither reasons, notes nor people. */
type About = { id: string; partner: string | null; endpointKey: string | null };
type Quiet = { quiet: PlannedQuiet; changedMs: number };
type Promised = { versions: readonly PromiseVersion[] };
export type PlannedTime = About & (({ kind: "quiet" } & Quiet) | ({ kind: "promise" } & Promised));

/** A promise with the rule that it had from its making or a change until the next one. */
export type PromiseVersion = { deadline: Deadline; changedMs: number };

/**
 * Quiet times and promises as events of a calendar, by start: the first ones, one more than `most` if there are more.
 * @param within range of the events; quiet times that begin before it or end after it are whole
 */
export function* plannedEvents(
  planned: readonly PlannedTime[],
  within: Period,
  most: number,
): Steps<CalendarEvent[]> {
  let events: CalendarEvent[] = [];
  let { untilMs } = within;
  for (const one of planned) {
    events.push(
      ...(one.kind === "quiet"
        ? quietEvents(one, within)
        : dueEvents(one, { fromMs: within.fromMs, untilMs })),
    );
    if (events.length > 2 * (most + 1)) {
      events = firstOf(events, most + 1);
      // Later ones are over the limit, so that they needn't be worked out.
      untilMs = Math.min(untilMs, (events.at(-1)?.startMs ?? untilMs) + 1);
    }
    yield;
  }
  return firstOf(events, most + 1);
}

function firstOf(events: readonly CalendarEvent[], amount: number): CalendarEvent[] {
  return events
    .toSorted((a, b) => a.startMs - b.startMs || (a.uid < b.uid ? -1 : 1))
    .slice(0, amount);
}

/** An event must end after it begins, in whole seconds: what was ended at once has none. */
function quietEvents(
  { quiet, changedMs, ...about }: About & Quiet,
  within: Period,
): CalendarEvent[] {
  return wholeQuietWithin(quiet, within)
    .filter(({ fromMs, untilMs }) => untilMs - fromMs >= SECOND_MS)
    .map(({ fromMs, untilMs }) => ({
      uid: `quiet-${about.id}-${fromMs}@plumbline`,
      summary: `Quiet time: ${subject(about)}`,
      startMs: fromMs,
      endMs: untilMs,
      changedMs,
    }));
}

/** A date that two versions have, because it was changed between their times, is shown by the earlier one. */
function dueEvents({ versions, ...about }: About & Promised, within: Period): CalendarEvent[] {
  const shown = new Set<string>();
  return versions.flatMap(({ deadline, changedMs }) =>
    deadlineDays(deadline, within)
      .filter(({ date, dueMs }) => isLiving(deadline, dueMs) && !shown.has(date))
      .map(({ date, dueMs, limitMs }) => {
        shown.add(date);
        return {
          uid: `promise-${about.id}-${date}@plumbline`,
          summary: `Promise: ${subject(about)}`,
          startMs: dueMs,
          endMs: limitMs > dueMs ? limitMs : null,
          changedMs,
        };
      }),
  );
}

function subject({ partner, endpointKey }: Omit<About, "id">): string {
  if (partner === null) return "all partners";
  return endpointKey === null ? partner : `${partner} / ${endpointKey}`;
}
