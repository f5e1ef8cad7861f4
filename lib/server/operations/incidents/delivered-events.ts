import type { TimelineEvent } from "@/lib/contracts/incidents";
import { isReminderKey } from "@/lib/domain/delivery/plan";
import { deliveryText } from "@/lib/domain/words/messages/delivery-text";
import type { IncidentDelivery } from "@/lib/server/store/delivery/outbox";

/** The fields of a delivery that a timeline shows. */
type Delivery = Pick<
  IncidentDelivery,
  | "seq"
  | "id"
  | "destination"
  | "key"
  | "type"
  | "toName"
  | "state"
  | "said"
  | "settledAt"
  | "createdAt"
>;

/** Ids of deliveries start above those of all possible incident events. */
const FIRST_DELIVERY = 1_000_000_000;

/**
 * Deliveries of an incident for its timeline. Reminders to one destination with the same outcome
 * are represented by the last one: a month of them would be thousands.
 * @param deliveries in order
 */
export function deliveredEvents(deliveries: readonly Delivery[]): TimelineEvent[] {
  const shown = new Map<string, { last: Delivery; reminders: number }>();
  for (const one of deliveries) {
    const { id, key, destination, state } = one;
    const isReminder = isReminderKey(key);
    const entry = isReminder ? `${state} ${destination}` : id;
    const before = shown.get(entry)?.reminders ?? 0;
    shown.set(entry, { last: one, reminders: isReminder ? before + 1 : 0 });
  }
  return [...shown.values()].map(({ last, reminders }) => deliveredEvent(last, reminders));
}

function deliveredEvent(
  { seq, type, toName, state, said, settledAt, createdAt }: Delivery,
  reminders: number,
): TimelineEvent {
  return {
    seq: FIRST_DELIVERY + seq,
    at: (settledAt ?? createdAt).toISOString(),
    kind: "delivered",
    by: null,
    by_id: null,
    text: deliveryText({ to: toName, type, reminders, state, said }),
    endpoint_id: null,
    endpoint_key: null,
    until: null,
    told_customer: false,
  };
}
