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
 * "Worst first": partners by their worst word, then by how many wear it, then by what is most overdue among what needs
 * somebody; rows likewise. Without groups the partner does not count.
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
  const placed = byName.map((row) => {
    const { word, terms } = judge(row, moment);
    return { row, word, partner_name: row.partner_name, latenessMs: terms.latenessMs ?? -Infinity };
  });
  const groups = group === "flat" ? [placed] : groupByPartner(placed).values();
  // Sorting is stable: equals stay in the order of their names.
  return Array.from(groups, (members) => {
    members.sort((a, b) => compareVerdicts(a.word, b.word) || compareLateness(a, b));
    const [worst] = members;
    return {
      members,
      counts: tally(members.map(({ word }) => word)),
      word: worst?.word ?? "paused",
      // Among those that are well, who is nearer to its next data changes all the time.
      latenessMs: worst !== undefined && isProblem(worst.word) ? worst.latenessMs : 0,
    };
  })
    .toSorted(
      (a, b) =>
        compareTrouble(a.counts, b.counts) ||
        compareVerdicts(a.word, b.word) ||
        compareLateness(a, b),
    )
    .flatMap(({ members }) => members.map(({ row }) => row));
}

/** The later, the earlier. */
function compareLateness(a: { latenessMs: number }, b: { latenessMs: number }): number {
  return b.latenessMs - a.latenessMs || 0;
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

/** The more of the worst word, the earlier; then the next word decides, of those that are worse than due. */
function compareTrouble(a: Counts, b: Counts): number {
  for (const word of VERDICTS) {
    if (word === "due") break;
    const difference = b[word] - a[word];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What needs somebody: unknown is told beside it, never in it. */
export function isProblem(word: Verdict): boolean {
  return word === "failing" || word === "stale" || word === "late";
}

/** How many endpoints there are of any verdict. */
export function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, word) => sum + counts[word], 0);
}

/** How many of them are failing, stale or late. */
export function needsAttention(counts: Counts): number {
  return counts.failing + counts.stale + counts.late;
}
