import { boardTitle } from "@/components/marks/board-title";
import type { Verdict } from "@/lib/domain/sync";
import { tally } from "@/lib/domain/verdict";
import { ofCompany } from "./words";

/**
 * "Procore: 3 of 9 need attention · Northgate Builders"
 * @param words of all endpoints of the partner
 * @param blindSince a clock time, null while not blind
 */
export function partnerTitle(
  partnerName: string,
  companyName: string,
  words: readonly Verdict[],
  blindSince: string | null,
): string {
  const board = { counts: tally(words), total: words.length };
  return ofCompany(boardTitle(partnerName, board, blindSince), companyName);
}
