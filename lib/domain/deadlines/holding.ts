import type { Deadline, DeadlineScope } from "./deadline";
import { isInForce, isLiving, type DeadlineDay } from "./calendar";

/** What a snapshot said about a feed, as far as deadlines depend on it. */
export type FeedFacts = {
  partner: string;
  /** As given: `active`, `inactive`, `webhook`, or another value; null: removed from the list. */
  status: string | null;
  /** False: missing from the latest check. */
  reported: boolean;
  /** Milliseconds; null: unknown. */
  cadenceMs: number | null;
};

/** The scopes, the narrowest first: a narrower one in force replaces the others. */
const RANKS = ["endpoint", "partner", "company"] as const;

function rankOf({ partner, endpointId }: DeadlineScope): (typeof RANKS)[number] {
  if (endpointId !== null) return "endpoint";
  return partner === null ? "company" : "partner";
}

/** Whether a deadline's scope includes an endpoint. */
export function includes(
  { partner, endpointId }: DeadlineScope,
  endpoint: { id: string; partner: string },
): boolean {
  if (endpointId !== null) return endpointId === endpoint.id;
  return partner === null || partner === endpoint.partner;
}

/**
 * Whether a deadline's day holds for an endpoint: no narrower deadline is in force on that date, and a deadline of a
 * partner or a company holds only for scheduled feeds with a cadence.
 * @param others all deadlines of the company that include the endpoint
 * @param facts the endpoint when the data was due; null: it wasn't known then
 */
export function holds(
  deadline: Deadline,
  day: Pick<DeadlineDay, "date" | "dueMs">,
  others: readonly Deadline[],
  facts: FeedFacts | null,
): boolean {
  if (!isLiving(deadline, day.dueMs) || facts?.status === null) return false;
  if (deadline.endpointId === null && !isScheduled(facts)) return false;
  const rank = RANKS.indexOf(rankOf(deadline));
  return !others.some(
    (other) =>
      RANKS.indexOf(rankOf(other)) < rank &&
      isInForce(other, day.date) &&
      isLiving(other, day.dueMs),
  );
}

function isScheduled(facts: FeedFacts | null): boolean {
  if (facts === null || facts.cadenceMs === null) return false;
  return facts.status === "active" || facts.status === "inactive";
}
