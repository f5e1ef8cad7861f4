import type { Incident, IncidentView } from "@/lib/contracts/incidents";
import { worseConfidence } from "@/lib/domain/confidence";
import type { Confidence } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { zoneName } from "@/lib/domain/time/zone-name";
import { clockTime, dayAndZone, duration, moment, NOT_KNOWN } from "@/lib/domain/words/format";
import type { HeadlineIncident } from "@/lib/domain/words/incident-headline";
import { lastedText, MEMBER_ENDING, spokenEnding } from "@/lib/domain/words/incident-words";
import { scheduledTexts } from "@/lib/domain/words/next-sync-text";
import { endedWords, listWords } from "./words";

/** Members in trouble, worst first; unknown ones are counted. */
export function membersOf({ members }: Pick<Incident, "members">) {
  const open = members.filter((member) => member.ended_at === null);
  const unknown = open.filter(({ verdict }) => verdict === "unknown").length;
  const inTrouble = open
    .filter(({ verdict }) => verdict !== "unknown")
    .toSorted((a, b) => RANK.indexOf(a.verdict) - RANK.indexOf(b.verdict));
  return { inTrouble, unknown, isOver: open.length === 0 };
}
const RANK = ["failing", "stale", "late"] as readonly string[];

/** Whether we can't tell its state: neither is a member seen in trouble, nor are all of them seen to be over it. */
export const isUnknown = (incident: Incident) =>
  incident.verdict === null &&
  (incident.not_observed_since !== null || !membersOf(incident).isOver);

/**
 * An incident as its page can know it, which may see the company worse by now than the server did when it responded.
 * @param here.asOf time of the company's last snapshot
 */
export function seenFrom(
  incident: IncidentView,
  here: { asOf: string | null; confidence: Confidence },
): IncidentView {
  const confidence = worseConfidence(incident.evidence.confidence, here.confidence);
  const evidence = { ...incident.evidence, confidence };
  const seenMs = instantMs(here.asOf);
  const isUnseen = incident.state === "open" && here.confidence === "blind" && seenMs !== null;
  if (!isUnseen) return { ...incident, evidence };
  return {
    ...incident,
    evidence,
    not_observed_since: new Date(seenMs + incident.api_clock_offset_ms).toISOString(),
    due_at: null,
    next_sync_at: null,
  };
}

/** How it ended, as people read it; null: it hasn't. */
export const spokenEndingOf = ({ ending, is_resting: isResting }: Incident) =>
  ending && spokenEnding(ending, isResting);

/** An incident in the form that its headline takes. */
export function headlineOf(incident: Incident): HeadlineIncident {
  return {
    partner: incident.partner_name,
    beganMs: Date.parse(incident.began_at),
    endedMs: instantMs(incident.ended_at),
    ending: spokenEndingOf(incident),
    unseenSinceMs: instantMs(incident.not_observed_since),
    nextSyncMs: instantMs(incident.next_sync_at),
    endpointCount: incident.endpoint_count,
    members: incident.members.map(({ verdict, ended_at: endedAt, ending }) => ({
      verdict,
      endedMs: instantMs(endedAt),
      ending,
    })),
  };
}

/** Start of a chat sentence about an incident. */
export const chatSubject = (partner: string, company: string, id: number) =>
  `${partner} · ${company}, incident ${id}`;

/** Time texts of an open incident's row. @param nowMs our clock, epoch milliseconds */
export function openTexts(incident: Incident, nowMs: number, timeZone: string) {
  const apiNowMs = nowMs + incident.api_clock_offset_ms;
  const beganMs = Date.parse(incident.began_at);
  const dueMs = instantMs(incident.due_at);
  const next = scheduledTexts(instantMs(incident.next_sync_at), apiNowMs, timeZone);
  const isFrozen = incident.not_observed_since !== null;
  return {
    since: moment(beganMs, apiNowMs, timeZone),
    openFor: isFrozen ? "" : duration(Math.max(0, apiNowMs - beganMs)),
    overdue: dueMs === null || dueMs > apiNowMs ? "" : duration(apiNowMs - dueMs),
    next: isFrozen ? listWords.notKnown : next.nextIn,
    onSince:
      incident.acknowledged === null
        ? ""
        : listWords.sinceTime(moment(Date.parse(incident.acknowledged.at), nowMs, timeZone)),
    seenAt:
      incident.not_observed_since === null
        ? ""
        : listWords.seenAt(moment(Date.parse(incident.not_observed_since), apiNowMs, timeZone)),
  };
}

/** Time texts of an ended incident's row. @param nowMs our clock, epoch milliseconds */
export function endedTexts(incident: Incident, nowMs: number, timeZone: string) {
  const apiNowMs = nowMs + incident.api_clock_offset_ms;
  const beganMs = Date.parse(incident.began_at);
  const endedMs = instantMs(incident.ended_at) ?? beganMs;
  const last = lastMember(incident);
  const at = instantMs(last?.received_at ?? last?.ended_at ?? null);
  const why = last?.ending ? spokenEnding(last.ending, last.is_resting) : null;
  return {
    began: moment(beganMs, apiNowMs, timeZone),
    ended: moment(endedMs, apiNowMs, timeZone),
    lasted: lastedText(beganMs, endedMs) ?? NOT_KNOWN,
    /** Before the name of the member that ended last. */
    lead: incident.members.length > 1 ? endedWords.members(incident.members.length) : "",
    key: last?.endpoint_key ?? "",
    evidence:
      why === null
        ? ""
        : why === "data_received" && at !== null
          ? `${MEMBER_ENDING[why]} ${moment(at, apiNowMs, timeZone)}`
          : MEMBER_ENDING[why],
  };
}

/**
 * What the heading of a timeline says of its times: today and the zone, "Sun 29 Nov 2026, UTC", if one of them is of today
 * and so has no date of its own; else the zone alone, "UTC".
 * @param timesMs and `nowMs`: on the same clock, epoch milliseconds
 */
export function timelineDay(timesMs: readonly number[], nowMs: number, timeZone: string): string {
  const isToday = (ms: number) => moment(ms, nowMs, timeZone) === clockTime(ms, timeZone);
  if (timesMs.some((ms) => isToday(ms))) return dayAndZone(nowMs, timeZone);
  return [...new Set(timesMs.map((ms) => zoneName(ms, timeZone)))].join(", ");
}

function lastMember({ members }: Incident) {
  return members.toSorted(
    (a, b) => Date.parse(b.ended_at ?? b.began_at) - Date.parse(a.ended_at ?? a.began_at),
  )[0];
}

export function sameTexts<T extends Readonly<Record<string, string>>>(a: T, b: T): boolean {
  return Object.keys(a).every((key) => a[key] === b[key]);
}
