import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import { judge, verdictsOf, type Verdicts, momentOf } from "@/lib/domain/judge";

/** Judging more rows than this at once would be felt by whoever types meanwhile. */
const ROWS_AT_ONCE = 500;
/** No word is older than this many seconds, however many rows there are; a row's own cells never wait. */
const MOST_TURNS = 5;

/**
 * The words of all rows as time passes. Very many rows take turns, a share of them each second. When the
 * picture freezes, all do at once.
 * @param snapshot what the rows belong to
 * @returns asked with the server's clock, epoch milliseconds; the same map while no word has changed
 */
export function createVerdictTicker(
  rows: readonly SyncStatusRow[],
  snapshot: Parameters<typeof momentOf>[0],
): (nowMs: number) => Verdicts {
  const turns = Math.min(MOST_TURNS, Math.max(1, Math.ceil(rows.length / ROWS_AT_ONCE)));
  let last: { words: Verdicts; second: number; isFrozen: boolean } | null = null;
  /** When each share had its turn, whole seconds. */
  let judgedAt: number[] = [];

  return (nowMs) => {
    const second = Math.floor(nowMs / 1000);
    if (last?.second === second) return last.words;
    const moment = momentOf(snapshot, nowMs);
    const { isFrozen } = moment;
    if (last === null || last.isFrozen !== isFrozen || second < last.second) {
      // From here on one share a second, the last one first.
      judgedAt = Array.from({ length: turns }, (_, share) => second - share);
      last = { words: verdictsOf(rows, moment), second, isFrozen };
      return last.words;
    }
    let words: Map<string, Verdict> | null = null;
    for (const [share, atSecond] of judgedAt.entries()) {
      if (second - atSecond < turns) continue;
      judgedAt[share] = second;
      for (let at = share; at < rows.length; at += turns) {
        const row = rows[at];
        if (row === undefined) continue;
        const { word } = judge(row, moment);
        if (last.words.get(row.id) === word) continue;
        words ??= new Map(last.words);
        words.set(row.id, word);
      }
    }
    last = { words: words ?? last.words, second, isFrozen };
    return last.words;
  };
}
