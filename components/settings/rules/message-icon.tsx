import { IncidentIcon } from "@/components/marks/incident-icon";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { PromiseMark } from "@/components/marks/promise-mark";
import type { MessageType } from "@/lib/domain/delivery/message";

const OPENINGS = new Set<MessageType>(["incident.opened", "company.limited", "partner.opened"]);
const ENDINGS = new Set<MessageType>(["incident.ended", "company.limited_ended", "partner.ended"]);

const PROMISE_STATE = {
  "promise.at_risk": "at_risk",
  "promise.missed": "missed",
  "promise.met": "met",
} as const;

/** Icon of a message type; the text beside it has the meaning. Endings have none: the type doesn't tell how it ended. */
export function MessageIcon({ type }: { type: MessageType }) {
  if (OPENINGS.has(type)) return <IncidentIcon isAcknowledged={false} />;
  if (type === "incident.changed" || type === "partner.changed")
    return <IncidentIcon isAcknowledged />;
  if (ENDINGS.has(type)) return <svg className="icon" width="11" height="11" aria-hidden="true" />;
  if (type === "promise.at_risk" || type === "promise.missed" || type === "promise.met")
    return <PromiseMark state={PROMISE_STATE[type]} />;
  if (type === "promise.ended") return <PromiseMark state="excused" />;
  if (type === "company.blind" || type === "host.blind")
    return <ConfidenceIcon confidence="blind" />;
  if (type === "company.seen_again" || type === "host.seen_again")
    return <ConfidenceIcon confidence="live" />;
  return (
    <svg className="icon" width="11" height="11" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d="M2 3h12v10H2ZM4.5 6h7M4.5 9h4.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      />
    </svg>
  );
}
