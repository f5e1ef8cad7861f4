import { promiseRank, type ShownPromise } from "@/lib/domain/deadlines/row-promise";
import { groupBy } from "@/lib/domain/collections/group-by";
import { compareText } from "@/lib/domain/text/compare-text";
import { instantMs } from "@/lib/domain/time/instant";
import { judge, type Moment, type SnapshotRow } from "./judge";
import { VERDICTS, type Verdict } from "./sync";
import { compareVerdicts, tally } from "./verdict";

/** Number of endpoints per verdict. */
export type Counts = Record<Verdict, number>;

/** How a viewer wants the endpoints arranged. */
type Arrangement = {
  order: "worst" | "next" | "fixed";
  group: "attention" | "partner" | "flat";
};

/** A row, and its promise, if it has one. */
type PlacedRow = SnapshotRow & { promise?: ShownPromise | null | undefined };

/**
 * Order of the rows, decided once per read, so that nothing moves as time passes.
 * "Worst first": partners by their worst verdict, then by the number of endpoints with it, then by the most overdue of
 * the endpoints that need attention; rows likewise, but within a verdict a missed promise comes first, then one at risk.
 * Other groups than by partner ignore the partner.
 * "Next sync first": the soonest future sync first, then those whose time has passed, then those without one; partners
 * by their first row.
 * "Fixed": the API's order, (partner name, endpoint key).
 */
export function placeRows<R extends PlacedRow>(
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
  if (order === "next") return nextFirst(byName, moment, group);
  const placed = byName.map((row) => {
    const { word, terms } = judge(row, moment);
    return {
      row,
      word,
      promised: promiseRank(row.promise),
      partner_name: row.partner_name,
      latenessMs: terms.latenessMs ?? -Infinity,
    };
  });
  const groups = group === "partner" ? groupByPartner(placed).values() : [placed];
  // Sorting is stable: equal groups remain in name order.
  return Array.from(groups, (members) => {
    members.sort(
      (a, b) => compareVerdicts(a.word, b.word) || a.promised - b.promised || compareLateness(a, b),
    );
    const [worst] = members;
    return {
      members,
      counts: tally(members.map(({ word }) => word)),
      word: worst?.word ?? "paused",
      // Healthy partners count as equal: their lateness changes all the time.
      latenessMs:
        worst === undefined || !isProblem(worst.word)
          ? 0
          : members
              .filter(({ word }) => word === worst.word)
              .reduce((most, { latenessMs }) => Math.max(most, latenessMs), -Infinity),
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

function nextFirst<R extends SnapshotRow>(
  byName: readonly R[],
  { atMs }: Moment,
  group: Arrangement["group"],
): readonly R[] {
  const placed = byName
    .map((row) => ({ row, rank: nextRank(row, atMs) }))
    .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
    .map(({ row }) => row);
  return group === "partner" ? [...groupByPartner(placed).values()].flat() : placed;
}

/** By group, then by time: in the future, passed, none. */
function nextRank(row: SnapshotRow, atMs: number): readonly [group: number, ms: number] {
  const nextMs = nextSyncMs(row);
  if (nextMs === null) return [2, 0];
  return [nextMs > atMs ? 0 : 1, nextMs];
}

/** A row as far as its next sync needs it. */
export type ScheduledRow = Pick<SnapshotRow, "status" | "next_sync_at"> & {
  known: Pick<SnapshotRow["known"], "reported">;
};

/**
 * The next scheduled sync, epoch milliseconds on the API's clock; null without one, and for a row that the API no longer
 * lists.
 */
export function nextSyncMs({ status, next_sync_at: at, known }: ScheduledRow): number | null {
  return status === "active" && known.reported ? instantMs(at) : null;
}

/** The scheduled syncs of several rows, ascending, epoch milliseconds on the API's clock. */
export function nextSyncsMs(rows: readonly ScheduledRow[]): number[] {
  return rows.flatMap((row) => nextSyncMs(row) ?? []).toSorted((a, b) => a - b);
}

/** Descending. */
function compareLateness(a: { latenessMs: number }, b: { latenessMs: number }): number {
  return b.latenessMs - a.latenessMs || 0;
}

/** Rows by partner name, in input order. */
export function groupByPartner<R extends { partner_name: string }>(
  rows: readonly R[],
): Map<string, R[]> {
  return groupBy(rows, ({ partner_name: partner }) => partner);
}

/** Number of endpoints per verdict, by partner. */
export function countsByPartner<R extends { partner_name: string }>(
  rows: readonly R[],
  wordOf: (row: R) => Verdict,
): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const [partner, group] of groupByPartner(rows))
    counts.set(partner, tally(group.map(wordOf)));
  return counts;
}

/**
 * More endpoints of the worst verdict come first; ties are decided by the next verdict, down to those worse than due.
 */
function compareTrouble(a: Counts, b: Counts): number {
  for (const word of VERDICTS) {
    if (word === "due") break;
    const difference = b[word] - a[word];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether the verdict needs attention; unknown is reported separately. */
export function isProblem(word: Verdict): boolean {
  return word === "failing" || word === "stale" || word === "late";
}

/** Number of endpoints of any verdict. */
export function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, word) => sum + counts[word], 0);
}

/**
 * Number of endpoints that can be judged: on time or behind. Unknown ones can't be, paused and webhook ones have no
 * schedule to be judged by.
 */
export function judgedOf(counts: Counts): number {
  return needsAttention(counts) + counts.due + counts.fresh;
}

/** Number of failing, stale and late endpoints. */
export function needsAttention(counts: Counts): number {
  return counts.failing + counts.stale + counts.late;
}
