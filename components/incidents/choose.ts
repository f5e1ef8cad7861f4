import type { Incident, IncidentCounts } from "@/lib/contracts/incidents";
import { isFoundIncident } from "@/lib/domain/incidents/found-incident";
import { needlesOf } from "@/lib/domain/text/fold-text";
import { isUnknown } from "./incident-text";
import type { Order, State } from "./incidents-url";

/** Open incidents that pass the filters, in order. @param incidents worst first */
export function chosen(
  incidents: readonly Incident[],
  { show, order, ...named }: Pick<State, "show" | "order" | "company" | "q">,
): Incident[] {
  return namedOf(incidents, named)
    .filter((one) => isShown(one, show))
    .toSorted(COMPARE[order]);
}

/** Incidents that match the company and text filters, whatever their state. */
export function namedOf(
  incidents: readonly Incident[],
  { company, q }: Pick<State, "company" | "q">,
): Incident[] {
  const needles = needlesOf(q);
  return incidents
    .filter((one) => company === null || one.company.slug === company)
    .filter((one) => isFoundIncident(one, needles));
}

/**
 * Counts of incidents that match the company and text filters.
 * @param counts of all
 * @param incidents the listed ones, which may be fewer
 * @returns null for what can't be counted
 */
export function countsOf(
  counts: IncidentCounts,
  incidents: readonly Incident[],
  state: Pick<State, "company" | "q">,
): Readonly<Record<keyof IncidentCounts, number | null>> {
  if (state.company === null && needlesOf(state.q).length === 0) return counts;
  const isWhole = counts.open <= incidents.length;
  const named = namedOf(incidents, state);
  const of = (show: State["show"]) =>
    isWhole ? named.filter((one) => isShown(one, show)).length : null;
  return {
    open: of("open"),
    unacknowledged: of("unacknowledged"),
    mine: of("mine"),
    failing: of("failing"),
    stale: of("stale"),
    late: of("late"),
    cannot_tell: of("unknown"),
    // Only some of the ended ones are listed.
    ended_last_7_days: null,
  };
}

function isShown(incident: Incident, show: State["show"]): boolean {
  if (show === "open" || show === "ended") return true;
  if (show === "unacknowledged") return incident.acknowledged === null;
  if (show === "mine") return incident.is_mine;
  return show === "unknown" ? isUnknown(incident) : incident.verdict === show;
}

/** Sorting is stable: equal ones stay worst first. */
const COMPARE: Readonly<Record<Order, (a: Incident, b: Incident) => number>> = {
  unacknowledged: (a, b) => Number(a.acknowledged !== null) - Number(b.acknowledged !== null),
  worst: () => 0,
  oldest: (a, b) => Date.parse(a.began_at) - Date.parse(b.began_at),
};
