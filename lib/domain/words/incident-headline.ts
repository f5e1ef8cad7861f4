import type { IncidentEnding, MemberEnding } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import { clockTime, counted } from "./format";
import { atMoment, datedMoment } from "./dates";
import { CLOCK_WENT_BACK, lastedText, settledText, type Spoken } from "./incident-words";
import { UNSEEN_AFTER } from "./then-and-now";
import { zoneName } from "@/lib/domain/time/zone-name";
import { capital } from "@/lib/domain/text/capital";

/** An incident as needed for its headline. Instants are epoch milliseconds. */
export type HeadlineIncident = {
  partner: string;
  beganMs: number;
  endedMs: number | null;
  ending: Spoken<IncidentEnding> | null;
  /** Since when it can't be observed; null: it can. */
  unseenSinceMs: number | null;
  /** Ahead, or due before; null: no time is set. */
  nextSyncMs: number | null;
  endpointCount: number;
  members: readonly {
    verdict: Verdict;
    endedMs: number | null;
    ending: Spoken<MemberEnding> | null;
  }[];
};

/** How an incident ended, followed by when its last feed did. */
const ENDED: Readonly<Record<Spoken<IncidentEnding>, string>> = {
  recovered: "recovered",
  paused: "paused at the source",
  removed: "no longer in the API",
  became_webhook: "now sent by webhook",
  expected: "a planned quiet time began",
  schedule_changed: "its schedule changed",
  eased: "no longer behind",
  resting: "resting by its learned week",
  mixed: "its feeds cleared for different reasons, the last one",
};

/** `nowMs`: on the API's clock; `timeZone`: IANA; `namesZone`: for readers who may expect times of another one. */
export type HeadlineWhen = { nowMs: number; timeZone: string; namesZone?: boolean };

/** What is wrong, since when and what is next, in one sentence. */
export function incidentHeadline(incident: HeadlineIncident, when: HeadlineWhen): string {
  const { nowMs, timeZone } = when;
  const { partner, beganMs, endedMs, ending, unseenSinceMs, nextSyncMs, members } = incident;
  const since = sinceOf(beganMs, when);
  if (endedMs !== null && ending !== null) {
    const lasted = lastedText(beganMs, endedMs);
    const ended = `${ENDED[ending]} ${atMoment(endedMs, nowMs, timeZone)}`;
    return lasted === null
      ? `${partner} needed attention: ${ended}; ${CLOCK_WENT_BACK}`
      : `${partner} needed attention from ${since} for ${lasted}: ${ended}`;
  }
  if (unseenSinceMs !== null)
    return `${partner} needed attention from ${since}; we haven’t been able to see it since ${datedMoment(unseenSinceMs, nowMs, timeZone)}`;
  const inTrouble = members.filter((member) => isInTrouble(member)).length;
  if (inTrouble === 0) {
    const isOver = members.every((member) => member.endedMs !== null);
    return isOver
      ? `${partner} needed attention from ${since}; ${settledText(endingsOf(members), "is")} now`
      : `${partner} needed attention from ${since}; we can’t tell how it is now`;
  }
  const of = `${inTrouble} of ${total(incident, inTrouble)}`;
  return `${partner} has needed attention since ${since}: ${of}; ${nextSync(nextSyncMs, nowMs, timeZone)}`;
}

function sinceOf(beganMs: number, { nowMs, timeZone, namesZone = false }: HeadlineWhen): string {
  const since = datedMoment(beganMs, nowMs, timeZone);
  return namesZone ? `${since} ${zoneName(beganMs, timeZone)}` : since;
}

function nextSync(nextMs: number | null, nowMs: number, timeZone: string): string {
  if (nextMs === null) return "no time is set for the next sync";
  if (nextMs > nowMs) return `next sync ${clockOf(nextMs, nowMs, timeZone)}`;
  return `the next sync was due ${atMoment(nextMs, nowMs, timeZone)}`;
}

/**
 * The headline for a past instant: "At 14:32, Procore had needed attention since 10:02: 2 of 9 feeds".
 * @param when.atMs that instant, on the API's clock; `nowMs`: the time of reading
 * @param when.wasBlind the company was blind then: `atMs` is the last check before
 */
export function incidentThenHeadline(
  incident: HeadlineIncident,
  { atMs, wasBlind, ...when }: HeadlineWhen & { atMs: number; wasBlind: boolean },
): string {
  const { nowMs, timeZone } = when;
  const { partner, beganMs, endedMs, members } = incident;
  if (endedMs !== null) return incidentHeadline(incident, when);
  const at = atMoment(atMs, nowMs, timeZone);
  const since = sinceOf(beganMs, when);
  const said = `${capital(at)}, ${partner} had needed attention since ${since}`;
  const inTrouble = members.filter((member) => isInTrouble(member)).length;
  const unseen = wasBlind ? `; ${UNSEEN_AFTER}` : "";
  if (inTrouble > 0) return `${said}: ${inTrouble} of ${total(incident, inTrouble)}${unseen}`;
  const isOver = members.every((member) => member.endedMs !== null);
  const how = isOver ? settledText(endingsOf(members), "was") : "we couldn’t tell how it was";
  return `${said}; ${how} then${unseen}`;
}

const endingsOf = (members: HeadlineIncident["members"]) => members.map(({ ending }) => ending);

/** "9 feeds"; at least `inTrouble`, because one may have left the API while the incident is open. */
function total({ endpointCount }: HeadlineIncident, inTrouble: number): string {
  return counted(Math.max(endpointCount, inTrouble), "feed");
}

function clockOf(ms: number, nowMs: number, timeZone: string): string {
  const isSoon = ms - nowMs < 12 * 3_600_000;
  return isSoon ? clockTime(ms, timeZone) : datedMoment(ms, nowMs, timeZone);
}

function isInTrouble({ verdict, endedMs }: HeadlineIncident["members"][number]): boolean {
  return endedMs === null && (verdict === "failing" || verdict === "stale" || verdict === "late");
}
