import type { OpenIncident } from "@/components/marks/open-incident";
import { covers } from "@/components/quiet/covered";
import type { Expectation } from "@/lib/contracts/quiet";
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

type Named = { id: string; partner_name: string };

/**
 * The verdicts without those of endpoints that are in trouble in a planned quiet time: they don't count as behind. The
 * same map if there are none.
 * @param active planned quiet times
 */
export function outsideQuiet(
  rows: readonly Named[],
  verdicts: Verdicts,
  active: readonly Expectation[],
): Verdicts {
  if (active.length === 0) return verdicts;
  const counted = new Map(verdicts);
  for (const { id, partner_name: partner } of rows) {
    const word = verdicts.get(id);
    if (word !== undefined && isProblem(word) && active.some((one) => covers(one, { id, partner })))
      counted.delete(id);
  }
  return counted.size === verdicts.size ? verdicts : counted;
}

/**
 * Number of endpoints that are behind and that no one is on.
 * @param counted from `outsideQuiet`
 */
export function countUnattended(counted: Verdicts, attended: ReadonlySet<string>): number {
  let amount = 0;
  for (const [id, word] of counted) if (isProblem(word) && !attended.has(id)) amount += 1;
  return amount;
}
