import { concerns } from "@/lib/domain/quiet/concerns";
import type { Period } from "@/lib/domain/history";
import { windowFromMs, type DeadlineDay } from "./calendar";
import type { Deadline } from "./deadline";
import { canHold, overruling, type FeedFacts } from "./holding";
import { closedMs, judgeDay, type EnteredQuiet, type JudgedDay, type SeenLanding } from "./outcome";

/** What the record says about an endpoint over some days. */
export type EndpointPast = {
  id: string;
  /** Ascending by `landedMs`: at least the last one before the first window, and all since. */
  landings: readonly SeenLanding[];
  /** The endpoint at an instant; before the first that is known, as at that one. Null: nothing is known. */
  factsAt(ms: number): FeedFacts | null;
};

/** A closed day of an endpoint. */
export type ClosedDay = JudgedDay & {
  endpointId: string;
  /** The partner when the data was due. */
  partner: string;
  deadline: Deadline;
  day: DeadlineDay;
  /** When the data was due; null: unknown. */
  cadenceMs: number | null;
  /** When the data was due, as received; of one removed since the window began, before that. */
  status: string | null;
};

/** What the record says about a company. */
export type CompanyPast = {
  deadlines: readonly Deadline[];
  /** In any order. */
  gaps: readonly Period[];
  /** Planned quiet times, including past ones. */
  quiet: readonly EnteredQuiet[];
};

/**
 * Judges days of an endpoint, given that the closing snapshot of each was read. Days of deadlines that don't hold for it
 * are left out. Live closing, rehearsal and replay all use it.
 */
export function closeDaysOf(
  endpoint: EndpointPast,
  days: readonly { deadline: Deadline; day: DeadlineDay }[],
  { deadlines, gaps, quiet }: CompanyPast,
): ClosedDay[] {
  const ofPartner = new Map<string, ReturnType<typeof overruling>>();
  return days.flatMap(({ deadline, day }) => {
    const facts = factsOf(endpoint, day);
    if (facts === null) return [];
    const where = { id: endpoint.id, partner: facts.partner };
    if (!concerns(deadline, where)) return [];
    const isOverruled =
      ofPartner.get(facts.partner) ?? overruling(deadlines.filter((one) => concerns(one, where)));
    ofPartner.set(facts.partner, isOverruled);
    if (!canHold(deadline, day, facts) || isOverruled(deadline, day)) return [];
    const judged = judgeDay(day, {
      landings: endpoint.landings,
      gaps,
      facts,
      closingFacts: endpoint.factsAt(closedMs(day, gaps)),
      quiet: quiet.filter((one) => concerns(one, where)),
    });
    const { partner, cadenceMs, status } = facts;
    return { ...judged, endpointId: endpoint.id, partner, deadline, day, cadenceMs, status };
  });
}

/**
 * The endpoint when the data was due. One that was removed since the window began counts as not reported then: its day
 * isn't left out.
 */
function factsOf(endpoint: EndpointPast, day: DeadlineDay): FeedFacts | null {
  const facts = endpoint.factsAt(day.dueMs);
  if (facts === null || facts.status !== null) return facts;
  const before = endpoint.factsAt(windowFromMs(day, facts));
  return before === null || before.status === null ? facts : { ...before, reported: false };
}
