import type { Incident } from "@/lib/contracts/incidents";
import { incidentStatement } from "@/lib/domain/words/shared-words";
import { chatSubject, headlineOf } from "./incident-text";

/**
 * An incident as one dated sentence, for chats.
 * @param said.nowMs by the server's clock, epoch milliseconds
 */
export function incidentSaid(
  incident: Incident,
  companyName: string,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  const subject = chatSubject(incident.partner_name, companyName, incident.id);
  return incidentStatement(subject, headlineOf(incident), {
    nowMs: nowMs + incident.api_clock_offset_ms,
    timeZone,
  });
}
