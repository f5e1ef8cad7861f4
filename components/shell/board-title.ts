import { needsAttention, type Counts } from "@/lib/domain/order";
import { attentionTitle, blindTitle } from "./words";

/** "Northgate Builders: 9 of 60 need attention". `blindSince`: a clock time, null while we see. */
export function boardTitle(
  name: string,
  { counts, total }: { counts: Counts; total: number },
  blindSince: string | null,
): string {
  if (blindSince !== null) return blindTitle(name, blindSince);
  if (total === 0) return name;
  return attentionTitle(name, needsAttention(counts), total);
}
