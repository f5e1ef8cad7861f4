import type { MessageType } from "@/lib/domain/delivery/message";
import { count } from "@/lib/domain/words/format";

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
  brief: "summary",
};

/**
 * "Opening message sent to Slack #alerts": a delivery in an incident's timeline.
 * @param given.reminders number of reminders that it stands for, including this last one; 0: it isn't a reminder
 */
export function deliveryText({
  to,
  type,
  reminders,
  state,
  said,
}: {
  to: string;
  type: MessageType;
  reminders: number;
  state: "queued" | "unknown" | "sent" | "failed";
  said: string | null;
}): string {
  const what = reminders === 0 ? MESSAGE[type] : reminderOf(reminders);
  const message = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
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

const reminderOf = (reminders: number) =>
  reminders === 1 ? "reminder" : `last of ${count(reminders)} reminders`;

export const RULES_OWN = "My alerts";
