import { needsAttention, type Counts } from "@/lib/domain/order";

/**
 * "Northgate Builders: 9 of 60 need attention"; at zero, also how many are unknown. `blindSince`: a
 * clock time, null while not blind.
 */
export function boardTitle(
  name: string,
  { counts, total }: { counts: Counts; total: number },
  blindSince: string | null,
): string {
  if (blindSince !== null) return `${name}: not checked since ${blindSince}`;
  if (total === 0) return name;
  const attention = needsAttention(counts);
  const unknown = attention === 0 && counts.unknown > 0 ? `, ${counts.unknown} unknown` : "";
  return `${name}: ${attention} of ${total} ${attention === 1 ? "needs" : "need"} attention${unknown}`;
}
