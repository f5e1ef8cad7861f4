import type { PromiseTally } from "@/lib/domain/deadlines/promise-tally";
import { count, counted } from "@/lib/domain/words/format";

/** "2 promises missed, 1 at risk, 4 kept": without those that are none; empty for none. */
export function tallyText({ missed, atRisk, kept }: PromiseTally): string {
  const all: readonly [number, string][] = [
    [missed, "missed"],
    [atRisk, "at risk"],
    [kept, "kept"],
  ];
  return all
    .filter(([amount]) => amount > 0)
    .map(([amount, how], at) => `${at === 0 ? counted(amount, "promise") : count(amount)} ${how}`)
    .join(", ");
}
