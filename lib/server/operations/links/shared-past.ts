import type { SharedThen } from "@/lib/contracts/links";
import type { SharedPast } from "@/lib/contracts/shared-page";
import { instantMs } from "@/lib/domain/time/instant";
import type { CopiedIncident } from "@/lib/domain/words/copied-incident";

/** What is stored with a link, in the form that pages and sentences take. */
export function sharedPast(stored: SharedThen): SharedPast {
  const sharedMs = instantMs(stored.at) ?? 0;
  const asOfMs = instantMs(stored.as_of) ?? 0;
  return {
    atMs: stored.confidence === "blind" ? asOfMs : sharedMs,
    sharedMs,
    asOfMs,
    confidence: stored.confidence,
    endpoints: stored.endpoints.map((endpoint) => ({
      id: endpoint.id,
      endpointKey: endpoint.endpoint_key,
      word: endpoint.verdict,
      ageMs: msOf(endpoint.age_seconds),
      cadenceMs: msOf(endpoint.cadence_seconds ?? null),
      countedAgeMs: msOf(endpoint.counted_age_seconds ?? endpoint.age_seconds),
      quiet: endpoint.quiet ?? "",
      latenessMs: msOf(endpoint.overdue_seconds),
    })),
    incident: copiedIncident(stored),
  };
}

/** The stored incident; null when a partner was shared. */
export function copiedIncident({ incident }: Pick<SharedThen, "incident">): CopiedIncident | null {
  if (incident === undefined) return null;
  return {
    beganMs: instantMs(incident.began_at) ?? 0,
    openedMs: instantMs(incident.opened_at) ?? 0,
    endedMs: instantMs(incident.ended_at),
    ending: incident.ending,
    endpointCount: incident.endpoint_count,
    members: incident.members.map((member) => ({
      id: member.id,
      endpointKey: member.endpoint_key,
      beganMs: instantMs(member.began_at) ?? 0,
      endedMs: instantMs(member.ended_at),
      ending: member.ending,
    })),
  };
}

const msOf = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
