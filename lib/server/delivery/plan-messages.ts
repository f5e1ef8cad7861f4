import {
  planCompany,
  withoutMissedReminders,
  type Blindness,
  type PlannedRule,
} from "@/lib/domain/delivery/plan";
import type { NewDelivery } from "@/lib/server/store/delivery/outbox";
import { compose, messageId, type MessageContext } from "./compose";

/** Where messages go, and by which rules. */
export type Place = Pick<NewDelivery, "place" | "to" | "channelId" | "personId" | "toName"> & {
  rules: readonly PlannedRule[];
};

/** What is due, to be written once it is wanted: most of a rehearsal is only counted. */
export type Draft = Omit<NewDelivery, "id" | "message" | "type"> & {
  write: () => Pick<NewDelivery, "id" | "message">;
};

/** What of a draft is sent. */
export function written({ write, ...draft }: Draft): NewDelivery {
  const { id, message } = write();
  return { ...draft, id, message, type: message.type };
}

/**
 * The messages of one company that are due at a place: what is sent, and what a rehearsal tells.
 * @param given.openings when incidents were opened to the place before, by id
 * @param given.isKnown whether something was written before: it isn't written again; left out: nothing was
 */
export function planMessages(
  { rules, ...place }: Place,
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
  // A rehearsal tells all that would have been sent.
  const due = given.isKnown === undefined ? planned : withoutMissedReminders(planned);
  const idOf = (key: string) => messageId(place.place, company.slug, key);
  return due.flatMap((one): Draft[] => {
    if (given.isKnown?.(idOf(one.key)) === true) return [];
    const incidentId = "timeline" in one ? one.timeline.incidentId : null;
    return [
      {
        ...place,
        key: one.key,
        company: company.slug,
        about: null,
        incidentId,
        thread: `${company.slug}/${incidentId ?? one.key.replace(/^(blind|seen_again):/, "sight:")}`,
        write: () => {
          const id = idOf(one.key);
          return { id, message: compose(one, { id, all: planned, rules }, context) };
        },
        toldIn: one.toldIn === null ? null : idOf(one.toldIn),
        dueMs: one.dueMs,
      },
    ];
  });
}
