import type { OpenIncident } from "@/components/marks/open-incident";
import type { Verdicts } from "@/lib/domain/judge";
import { isProblem } from "@/lib/domain/order";

/** Ids of the endpoints whose open incident is acknowledged. */
export function attendedIds(incidents: readonly OpenIncident[]): ReadonlySet<string> {
  return new Set(
    incidents.flatMap(({ acknowledged, members }) =>
      acknowledged === null
        ? []
        : members.flatMap(({ endpoint_id: id, ended_at: ended }) => (ended === null ? [id] : [])),
    ),
  );
}

/** Number of endpoints that are behind and that no one is on. */
export function countUnattended(verdicts: Verdicts, attended: ReadonlySet<string>): number {
  let amount = 0;
  for (const [id, word] of verdicts) if (isProblem(word) && !attended.has(id)) amount += 1;
  return amount;
}
