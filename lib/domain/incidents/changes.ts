import type { Verdict } from "@/lib/domain/sync";
import { TROUBLES, isTrouble } from "./incident";

/** Changes between two points in time. */

/** Severity of a verdict; null if it has none and can't be compared. */
function badness(verdict: Verdict): number | null {
  if (verdict === "fresh" || verdict === "due") return 0;
  return isTrouble(verdict) ? TROUBLES.indexOf(verdict) + 1 : null;
}

/** Positive if `to` is worse than `from`; 0 if it isn't, or if the two can't be compared. */
export function worseBy({ from, to }: { from: Verdict; to: Verdict }): number {
  const [before, after] = [badness(from), badness(to)];
  return before === null || after === null ? 0 : after - before;
}

type ReportedIncident = {
  ending: string | null;
  members: readonly { endpoint_id: string }[];
};

/**
 * Whether an endpoint changed in a way that is neither worse nor better, such as becoming unknown, paused or removed.
 * Fresh and due count as equal.
 */
export function isOtherChange({ from, to }: { from: Verdict; to: Verdict | null }): boolean {
  if (to === null) return true;
  const [before, after] = [badness(from), badness(to)];
  return (before === null || after === null) && from !== to;
}

/**
 * Endpoint changes that aren't already covered by incidents in the same response. A worsening within an incident that
 * began belongs to its start, an improvement within one that ended to its end.
 */
export function apartFromIncidents<T extends { endpoint_id: string }>(
  changes: readonly T[],
  incidents: readonly ReportedIncident[],
): T[] {
  const covered = new Set(
    incidents.flatMap(({ members }) => members.map(({ endpoint_id: id }) => id)),
  );
  return changes.filter(({ endpoint_id: id }) => !covered.has(id));
}

/** The numbers of a summary. Only endings that are recoveries count as recovered. */
export function countChanges({
  began,
  ended,
  worse,
  better,
  otherwise,
}: {
  began: readonly ReportedIncident[];
  ended: readonly ReportedIncident[];
  worse: readonly { endpoint_id: string }[];
  better: readonly { endpoint_id: string }[];
  otherwise: readonly { endpoint_id: string; from: Verdict; to: Verdict | null }[];
}) {
  const recovered = ended.filter(({ ending }) => ending === "recovered").length;
  return {
    began: began.length,
    recovered,
    ended_otherwise: ended.length - recovered,
    worse: apartFromIncidents(worse, began).length,
    better: apartFromIncidents(better, ended).length,
    // Counted even if an incident of the endpoint ended: nothing else says that its state is unknown now.
    became_unknown: otherwise.filter(({ to }) => to === "unknown").length,
    removed: otherwise.filter(({ to }) => to === null).length,
    changed_otherwise: otherwise.filter(({ to }) => to !== "unknown" && to !== null).length,
  };
}
