import { MAX_PER_SCOPE, type Deadline, type DeadlineScope } from "./deadline";
import { isInForce, isLiving, type DeadlineDay, type FeedPace } from "./calendar";

/** What a snapshot said about a feed, as far as deadlines depend on it. */
export type FeedFacts = FeedPace & {
  partner: string;
  /** False: missing from the latest check. */
  reported: boolean;
};

/** The scopes, the narrowest first: a narrower one in force replaces the others. */
const RANKS = ["endpoint", "partner", "company"] as const;

function rankOf({ partner, endpointId }: DeadlineScope): (typeof RANKS)[number] {
  if (endpointId !== null) return "endpoint";
  return partner === null ? "company" : "partner";
}

/**
 * Whether more deadlines than the limit apply to exactly the same: all of them hold for each feed there.
 * @param before those so far, without past ones
 * @param added those to be added
 */
export function isScopeTooFull(
  before: readonly DeadlineScope[],
  added: readonly DeadlineScope[],
): boolean {
  const numbers = new Map<string, number>();
  for (const scope of [...before, ...added]) {
    const key = scopeKey(scope);
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
  }
  return added.some((scope) => (numbers.get(scopeKey(scope)) ?? 0) > MAX_PER_SCOPE);
}

function scopeKey(scope: DeadlineScope): string {
  const rank = rankOf(scope);
  return `${rank}\0${{ endpoint: scope.endpointId, partner: scope.partner, company: "" }[rank]}`;
}

/**
 * Whether a deadline's day can hold for an endpoint, unless a narrower one overrules it: that of a partner or a company
 * only for scheduled feeds with a cadence.
 * @param facts the endpoint when the data was due; null: it wasn't known then
 */
export function canHold(
  deadline: Deadline,
  { dueMs }: Pick<DeadlineDay, "dueMs">,
  facts: FeedFacts | null,
): boolean {
  if (!isLiving(deadline, dueMs) || facts?.status === null) return false;
  return deadline.endpointId !== null || (facts !== null && isScheduled(facts));
}

/**
 * Which days are overruled by a narrower deadline in force on their date.
 * @param all deadlines of the company that include an endpoint
 */
export function overruling(
  all: readonly Deadline[],
): (deadline: Deadline, day: Pick<DeadlineDay, "date" | "dueMs">) => boolean {
  const byRank = RANKS.map((rank) => all.filter((one) => rankOf(one) === rank));
  return (deadline, { date, dueMs }) =>
    byRank
      .slice(0, RANKS.indexOf(rankOf(deadline)))
      .some((narrower) => narrower.some((one) => isInForce(one, date) && isLiving(one, dueMs)));
}

/** Whether deadlines of its partner and company can hold for a feed. */
export function isScheduled({ status, cadenceMs }: FeedPace): boolean {
  return cadenceMs !== null && (status === "active" || status === "inactive");
}
