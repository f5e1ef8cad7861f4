import { compareText } from "@/lib/domain/text/compare-text";

/** Equal for names that look the same: partners are compared by it, and asked for by their names as given. */
export function partnerKey(name: string): string {
  return name.normalize("NFC");
}

/**
 * How a partner is written where several companies show it: as most of them write it; of those, the first by code unit.
 * @param names one per company, at least one
 */
export function shownName(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [best] = [...counts].toSorted(
    ([a, many], [b, others]) => others - many || compareText(a, b),
  );
  return best?.[0] ?? "";
}
