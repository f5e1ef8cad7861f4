import type { BoardThenView } from "@/lib/contracts/history";
import { isProblem } from "@/lib/domain/order";
import { instantMs } from "@/lib/domain/time/instant";

/** What the record says of a company at a moment. */
export type CompanyThen = {
  /** How many endpoints needed attention, of how many that it tells of. */
  attention: number;
  unknown: number;
  total: number;
  /** The last check before, where we were blind at that moment; epoch milliseconds, else null. */
  checkedMs: number | null;
};

/** @param partner the only one that is counted, by name; empty: all */
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
