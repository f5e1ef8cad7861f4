import type { IncidentEnding, MemberEnding } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import { incidentHeadline, type HeadlineIncident, type HeadlineWhen } from "./incident-headline";
import type { Spoken } from "./incident-words";

/** A member as shown to outsiders. Instants are epoch milliseconds on the API's clock. */
export type CopiedMember = {
  id: string;
  endpointKey: string;
  beganMs: number;
  endedMs: number | null;
  ending: Spoken<MemberEnding> | null;
};

/** An incident as shown to outsiders, without people. */
export type CopiedIncident = {
  beganMs: number;
  openedMs: number;
  endedMs: number | null;
  ending: Spoken<IncidentEnding> | null;
  endpointCount: number;
  members: readonly CopiedMember[];
};

/**
 * An incident in the form that its headline takes.
 * @param verdictOf verdict of a member still in trouble
 */
export function headlineIncident(
  partner: string,
  copied: CopiedIncident,
  verdictOf: (id: string) => Verdict | undefined,
): HeadlineIncident {
  return {
    partner,
    beganMs: copied.beganMs,
    endedMs: copied.endedMs,
    ending: copied.ending,
    unseenSinceMs: null,
    nextSyncMs: null,
    endpointCount: copied.endpointCount,
    members: copied.members.map(({ id, endedMs, ending }) => ({
      verdict: verdictOf(id) ?? "unknown",
      endedMs,
      ending,
    })),
  };
}

/**
 * How an ended incident ended, without a full stop.
 * @returns null while it is open, and when there is none
 */
export function endedSentence(
  partner: string,
  copied: CopiedIncident | null,
  when: HeadlineWhen,
): string | null {
  if (copied === null || copied.endedMs === null) return null;
  return incidentHeadline(
    headlineIncident(partner, copied, () => undefined),
    when,
  );
}
