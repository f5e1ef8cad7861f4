import type { Verdict } from "@/lib/domain/sync";
import { TROUBLES, isTrouble } from "./incident";

/** What changed between two looks. */

/** How bad a verdict is; null: it says nothing of that, so it is neither worse nor better than another. */
function badness(verdict: Verdict): number | null {
  if (verdict === "fresh" || verdict === "due") return 0;
  return isTrouble(verdict) ? TROUBLES.indexOf(verdict) + 1 : null;
}

/** Above 0 when `to` is worse than `from`; 0 when it isn't, or when the two can't be compared. */
export function worseBy({ from, to }: { from: Verdict; to: Verdict }): number {
  const [before, after] = [badness(from), badness(to)];
  return before === null || after === null ? 0 : after - before;
}

type ToldIncident = {
  ending: string | null;
  members: readonly { endpoint_id: string }[];
};

/**
 * Whether an endpoint changed in a way that is neither worse nor better: it can't be judged any more or was removed,
 * was paused, or anything else that isn't the same again. Fresh and due are the same.
 */
export function isOtherChange({ from, to }: { from: Verdict; to: Verdict | null }): boolean {
  if (to === null) return true;
  const [before, after] = [badness(from), badness(to)];
  return (before === null || after === null) && from !== to;
}

/**
 * What is still to be said of endpoints: those that incidents of the same answer already tell of are left out. What
 * got worse within an incident that began is part of its beginning, what got better within one that ended of its end.
 */
export function apartFromIncidents<T extends { endpoint_id: string }>(
  changes: readonly T[],
  incidents: readonly ToldIncident[],
): T[] {
  const told = new Set(
    incidents.flatMap(({ members }) => members.map(({ endpoint_id: id }) => id)),
  );
  return changes.filter(({ endpoint_id: id }) => !told.has(id));
}

/** The numbers of a summary. Only an ending that is a recovery counts as one. */
export function countChanges({
  began,
  ended,
  worse,
  better,
  otherwise,
}: {
  began: readonly ToldIncident[];
  ended: readonly ToldIncident[];
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
    // However an incident of theirs ended: that we can't tell about them now is said by nothing else.
    became_unknown: otherwise.filter(({ to }) => to === "unknown").length,
    removed: otherwise.filter(({ to }) => to === null).length,
    changed_otherwise: otherwise.filter(({ to }) => to !== "unknown" && to !== null).length,
  };
}
