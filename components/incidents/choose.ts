import type { Incident } from "@/lib/contracts/incidents";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import type { Order, State } from "./incidents-url";

/** The open ones that the address asks for, in its order. @param incidents worst first */
export function chosen(
  incidents: readonly Incident[],
  { show, order, company, q }: Pick<State, "show" | "order" | "company" | "q">,
): Incident[] {
  const needles = needlesOf(q);
  return incidents
    .filter((one) => company === null || one.company.slug === company)
    .filter((one) => isShown(one, show))
    .filter((one) => {
      const words = foldText(
        [one.partner_name, one.company.name, ...one.members.map((m) => m.endpoint_key)].join(" "),
      );
      return needles.every((needle) => words.includes(needle));
    })
    .toSorted(COMPARE[order]);
}

function isShown(incident: Incident, show: State["show"]): boolean {
  if (show === "open" || show === "ended") return true;
  if (show === "unacknowledged") return incident.acknowledged === null;
  if (show === "mine") return incident.is_mine;
  return (incident.verdict ?? "unknown") === show;
}

/** Sorting is stable: what is equal stays worst first. */
const COMPARE: Readonly<Record<Order, (a: Incident, b: Incident) => number>> = {
  unacknowledged: (a, b) => Number(a.acknowledged !== null) - Number(b.acknowledged !== null),
  worst: () => 0,
  oldest: (a, b) => Date.parse(a.began_at) - Date.parse(b.began_at),
};
