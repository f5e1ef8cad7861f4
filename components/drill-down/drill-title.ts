import { boardTitle } from "@/components/shell/board-title";
import type { Verdict } from "@/lib/domain/sync";
import { tally } from "@/lib/domain/verdict";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

/**
 * "Procore: 3 of 9 need attention · Northgate Builders"
 * @param words of all endpoints of the partner
 * @param blindSince a clock time, null while we see
 */
export function partnerTitle(
  partnerName: string,
  companyName: string,
  words: readonly Verdict[],
  blindSince: string | null,
): string {
  const board = { counts: tally(words), total: words.length };
  return `${boardTitle(partnerName, board, blindSince)} · ${companyName}`;
}

/** "Late: Procore / daily_logs · Northgate Builders"; what was true when we last saw says so. */
export function endpointTitle(
  { partnerName, endpointKey }: { partnerName: string; endpointKey: string },
  companyName: string,
  word: Verdict,
  isFrozen: boolean,
): string {
  const state = isFrozen ? `Was ${word}` : VERDICT_LABEL[word];
  return `${state}: ${partnerName} / ${endpointKey} · ${companyName}`;
}
