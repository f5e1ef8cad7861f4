import { iso } from "@/lib/domain/time/instant";
import type { MessageContent } from "./message-content";
import { withContent, type Message, type MessageType } from "./message";
import type { Several } from "./several";

const TYPES: Readonly<Record<Several["about"]["kind"], Record<Several["tells"], MessageType>>> = {
  partner: { opened: "partner.opened", changed: "partner.changed", ended: "partner.ended" },
  limited: {
    opened: "company.limited",
    changed: "company.limited",
    ended: "company.limited_ended",
  },
  host: { opened: "host.blind", changed: "host.blind", ended: "host.seen_again" },
};

/** @param given.content see `severalContent` */
export function severalMessage(
  several: Several,
  { id, url, content }: { id: string; url: string; content: MessageContent },
): Message {
  const { about, tells, dueMs, all } = several;
  const companies = [...new Set(all.map(({ company }) => company))].toSorted();
  const base = {
    id,
    type: TYPES[about.kind][tells],
    at: iso(dueMs),
    company: about.kind === "limited" ? about.company : null,
    incident: null,
    url,
    several,
  };
  if (about.kind !== "partner") return withContent({ ...base, companies }, content);
  const fleet = {
    id: about.fleetId,
    companies: all.flatMap(({ company, incidentId, verdict, sinceMs, endedMs, ending }) =>
      incidentId === null
        ? []
        : {
            company,
            incident_id: incidentId,
            verdict,
            since: iso(sinceMs),
            ended_at: endedMs === null ? null : iso(endedMs),
            ending,
          },
    ),
  };
  return withContent({ ...base, partner_name: about.partner, fleet_incident: fleet }, content);
}
