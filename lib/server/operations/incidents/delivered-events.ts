import type { TimelineEvent } from "@/lib/contracts/incidents";
import { repeatedOf } from "@/lib/domain/delivery/plan";
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
 * Deliveries of an incident for its timeline. Reminders and updates to one destination with the same outcome
 * are represented by the last one: a month of them would be thousands.
 * @param deliveries in order
 */
export function deliveredEvents(deliveries: readonly Delivery[]): TimelineEvent[] {
  const shown = new Map<string, { last: Delivery; amount: number }>();
  for (const one of deliveries) {
    const { id, key, destination, state } = one;
    const repeated = repeatedOf(key);
    const entry = repeated === null ? id : `${repeated} ${state} ${destination}`;
    shown.set(entry, { last: one, amount: (shown.get(entry)?.amount ?? 0) + 1 });
  }
  return [...shown.values()].map(({ last, amount }) => deliveredEvent(last, amount));
}

function deliveredEvent(
  { seq, key, type, toName, state, said, settledAt, createdAt }: Delivery,
  amount: number,
): TimelineEvent {
  return {
    seq: FIRST_DELIVERY + seq,
    at: (settledAt ?? createdAt).toISOString(),
    kind: "delivered",
    by: null,
    by_id: null,
    text: deliveryText({ to: toName, type, repeated: repeatedOf(key), amount, state, said }),
    endpoint_id: null,
    endpoint_key: null,
    until: null,
    told_customer: false,
  };
}
