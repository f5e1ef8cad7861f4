import {
  planCompany,
  withoutMissedReminders,
  type Blindness,
  type PlannedRule,
} from "@/lib/domain/delivery/plan";
import type { NewDelivery } from "@/lib/server/store/delivery/outbox";
import { compose, messageId, type MessageContext } from "./compose";

/** A destination and its rules. */
export type Destination = Pick<
  NewDelivery,
  "destination" | "to" | "channelId" | "personId" | "toName"
> & {
  rules: readonly PlannedRule[];
};

/** A due message, written on demand: most of a rehearsal is only counted. */
export type Draft = Omit<NewDelivery, "id" | "message" | "type"> & {
  write: () => Pick<NewDelivery, "id" | "message">;
};

/** Writes a draft. */
export function written({ write, ...draft }: Draft): NewDelivery {
  const { id, message } = write();
  return { ...draft, id, message, type: message.type };
}

/**
 * Due messages of one company for a destination, for sending and for rehearsals.
 * @param given.openings when the destination was notified of incidents' openings, by id
 * @param given.isKnown whether a message was already written; omitted: none was
 */
export function planMessages(
  { rules, ...destination }: Destination,
  context: MessageContext,
  given: {
    blindnesses: readonly Blindness[];
    nowMs: number;
    openings: ReadonlyMap<number, number>;
    isKnown?: (id: string) => boolean;
  },
): Draft[] {
  const { company, record } = context;
  const planned = planCompany({
    company: company.slug,
    care: record.care,
    timelines: record.incidents.map(({ timeline }) => timeline),
    rules,
    blindnesses: given.blindnesses,
    gaps: record.gaps,
    untilMs: record.observedMs ?? -Infinity,
    nowMs: given.nowMs,
    openings: given.openings,
  });
  // A rehearsal includes everything that would have been sent.
  const due = given.isKnown === undefined ? planned : withoutMissedReminders(planned);
  const idOf = (key: string) => messageId(destination.destination, company.slug, key);
  return due.flatMap((one): Draft[] => {
    if (given.isKnown?.(idOf(one.key)) === true) return [];
    const incidentId = "timeline" in one ? one.timeline.incidentId : null;
    return [
      {
        ...destination,
        key: one.key,
        company: company.slug,
        about: null,
        incidentId,
        thread: `${company.slug}/${incidentId ?? one.key.replace(/^(blind|seen_again):/, "sight:")}`,
        write: () => {
          const id = idOf(one.key);
          return { id, message: compose(one, { id, all: planned, rules }, context) };
        },
        includedIn: one.includedIn === null ? null : idOf(one.includedIn),
        dueMs: one.dueMs,
      },
    ];
  });
}
