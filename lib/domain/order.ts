import { compareText } from "@/lib/domain/text/compare-text";
import { judge, type Moment, type SnapshotRow } from "./judge";
import { VERDICTS, type Verdict } from "./sync";
import { compareVerdicts, tally } from "./verdict";

/** How many endpoints wear each word. */
export type Counts = Record<Verdict, number>;

/** How a person wants the endpoints to stand. */
type Arrangement = { order: "worst" | "fixed"; group: "partner" | "flat" };

/**
 * Where each row stands, decided once per read, so that nothing moves as time passes.
 * "Worst first": partners by their worst word, then by how many wear it; rows likewise, then by lateness.
 * Without groups the partner does not count.
 * "Fixed": the API's own order, (partner name, endpoint key).
 */
export function placeRows<R extends SnapshotRow>(
  rows: readonly R[],
  moment: Moment,
  { order, group }: Arrangement,
): readonly R[] {
  const byName = rows.toSorted(
    (a, b) =>
      compareText(a.partner_name, b.partner_name) ||
      compareText(a.endpoint_key, b.endpoint_key) ||
      compareText(a.id, b.id),
  );
  if (order === "fixed") return byName;
  const judgements = new Map(byName.map((row) => [row.id, judge(row, moment)]));
  const judged = (row: R) => judgements.get(row.id) ?? judge(row, moment);
  const counts = countsByPartner(byName, (row) => judged(row).word);
  const partnerRank = new Map(
    [...counts.keys()]
      .toSorted((a, b) => compareCounts(counts.get(a), counts.get(b)))
      .map((partner, rank) => [partner, rank]),
  );
  const rank = (row: R) => (group === "flat" ? 0 : (partnerRank.get(row.partner_name) ?? 0));
  // Sorting is stable: equals stay in the order of their names.
  return byName.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compareVerdicts(judged(a).word, judged(b).word) ||
      (judged(b).terms.latenessMs ?? -Infinity) - (judged(a).terms.latenessMs ?? -Infinity) ||
      0,
  );
}

/** Rows by the name of their partner, in the order in which they come. */
export function groupByPartner<R extends { partner_name: string }>(
  rows: readonly R[],
): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(row.partner_name);
    if (group === undefined) groups.set(row.partner_name, [row]);
    else group.push(row);
  }
  return groups;
}

/** How many endpoints of each partner wear each word. */
export function countsByPartner<R extends { partner_name: string }>(
  rows: readonly R[],
  wordOf: (row: R) => Verdict,
): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const [partner, group] of groupByPartner(rows))
    counts.set(partner, tally(group.map(wordOf)));
  return counts;
}

/** Worst first: the more of the worst word, the earlier; then the next word decides. */
export function compareCounts(a: Counts | undefined, b: Counts | undefined): number {
  for (const word of VERDICTS) {
    const difference = (b?.[word] ?? 0) - (a?.[word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What needs somebody: unknown is told beside it, never in it. */
export function isProblem(word: Verdict): boolean {
  return word === "failing" || word === "stale" || word === "late";
}

/** How many of them are failing, stale or late. */
export function needsAttention(counts: Counts): number {
  return counts.failing + counts.stale + counts.late;
}
