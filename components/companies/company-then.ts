import type { BoardThenView } from "@/lib/contracts/history";
import { isProblem } from "@/lib/domain/order";
import { instantMs } from "@/lib/domain/time/instant";

/** Recorded state of a company at a moment. */
export type CompanyThen = {
  /** Endpoints that needed attention, of how many recorded ones. */
  attention: number;
  unknown: number;
  total: number;
  /** The last check before a gap at that moment, epoch milliseconds; null outside of gaps. */
  checkedMs: number | null;
};

/** @param partner counts only the partner of this name; empty: all */
export function companyThen({ endpoints, gap }: BoardThenView, partner: string): CompanyThen {
  const theirs = endpoints.filter(({ partner_name: name }) => partner === "" || name === partner);
  const words = theirs.flatMap(({ verdict, last_seen: seen }) => verdict ?? seen?.verdict ?? []);
  return {
    attention: words.filter((word) => isProblem(word)).length,
    unknown: words.filter((word) => word === "unknown").length,
    total: theirs.length,
    checkedMs: instantMs(gap?.from ?? null),
  };
}
