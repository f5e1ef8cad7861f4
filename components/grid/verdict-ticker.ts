import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import { judge, verdictsOf, type Verdicts, momentOf } from "@/lib/domain/judge";

/** Judging more rows at once would delay typing. */
const ROWS_AT_ONCE = 500;
/**
 * No verdict is older than this many seconds, however many rows there are; a row's own cells never
 * wait.
 */
const MAX_TURNS = 5;

/**
 * Verdicts of all rows over time. Very many rows take turns, a share of them each second. When the
 * view freezes, all are updated at once.
 * @param snapshot identity of the data
 * @returns called with the server's clock, epoch milliseconds; returns the same map while no
 *   verdict has changed
 */
export function createVerdictTicker(
  rows: readonly SyncStatusRow[],
  snapshot: Parameters<typeof momentOf>[0],
): (nowMs: number) => Verdicts {
  const turns = Math.min(MAX_TURNS, Math.max(1, Math.ceil(rows.length / ROWS_AT_ONCE)));
  let last: { verdicts: Verdicts; second: number; isFrozen: boolean } | null = null;
  /** When each share was judged last, whole seconds. */
  let judgedAt: number[] = [];

  return (nowMs) => {
    const second = Math.floor(nowMs / 1000);
    if (last?.second === second) return last.verdicts;
    const moment = momentOf(snapshot, nowMs);
    const { isFrozen } = moment;
    if (last === null || last.isFrozen !== isFrozen || second < last.second) {
      // From here on one share per second, the last one first.
      judgedAt = Array.from({ length: turns }, (_, share) => second - share);
      last = { verdicts: verdictsOf(rows, moment), second, isFrozen };
      return last.verdicts;
    }
    let verdicts: Map<string, Verdict> | null = null;
    for (const [share, atSecond] of judgedAt.entries()) {
      if (second - atSecond < turns) continue;
      judgedAt[share] = second;
      for (let at = share; at < rows.length; at += turns) {
        const row = rows[at];
        if (row === undefined) continue;
        const { word } = judge(row, moment);
        if (last.verdicts.get(row.id) === word) continue;
        verdicts ??= new Map(last.verdicts);
        verdicts.set(row.id, word);
      }
    }
    last = { verdicts: verdicts ?? last.verdicts, second, isFrozen };
    return last.verdicts;
  };
}
