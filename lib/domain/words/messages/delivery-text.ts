import type { MessageType } from "@/lib/domain/delivery/message";
import type { Repeated } from "@/lib/domain/delivery/plan";
import { count } from "@/lib/domain/words/format";
import { capital } from "@/lib/domain/text/capital";

/** Text about messages, for people who look at what was sent. */

const MESSAGE: Readonly<Record<MessageType, string>> = {
  "incident.opened": "opening message",
  "incident.changed": "update",
  "incident.ended": "closing message",
  "company.blind": "message that we can’t see it",
  "company.seen_again": "message that we can see it again",
  "company.limited": "opening message",
  "company.limited_ended": "closing message",
  "partner.opened": "opening message",
  "partner.changed": "update",
  "partner.ended": "closing message",
  "host.blind": "message that we can’t see it",
  "host.seen_again": "message that we can see it again",
  "promise.at_risk": "warning",
  "promise.missed": "closing message",
  "promise.met": "closing message",
  "promise.ended": "closing message",
  brief: "summary",
};

/**
 * "Opening message sent to Slack #alerts": a delivery in an incident's timeline.
 * @param given.amount number of messages that it stands for, including this last one
 */
export function deliveryText({
  to,
  type,
  repeated,
  amount,
  state,
  said,
}: {
  to: string;
  type: MessageType;
  repeated: Repeated | null;
  amount: number;
  state: "queued" | "unknown" | "sent" | "failed";
  said: string | null;
}): string {
  const what = repeated === null ? MESSAGE[type] : lastOf(amount, repeated);
  const message = capital(what);
  const why = said === null ? "" : ` ${said}`;
  switch (state) {
    case "sent":
      return `${message} sent to ${to}`;
    case "failed":
      return `${message} couldn’t be sent to ${to}; we gave up.${why}`;
    case "unknown":
      return `${message} may have reached ${to}; we’re trying again.${why}`;
    case "queued":
      return `${message} is waiting to be sent to ${to}.${why}`;
  }
}

const lastOf = (amount: number, repeated: Repeated) =>
  amount === 1 ? repeated : `last of ${count(amount)} ${repeated}s`;

export const RULES_OWN = "My alerts";
