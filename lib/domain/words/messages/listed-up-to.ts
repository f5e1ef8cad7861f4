import { listed } from "@/lib/domain/text/listed";
import { count } from "@/lib/domain/words/format";

/** "drawings, RFIs and 3 more": the first ones, and how many there are besides. */
export function listedUpTo(most: number, names: readonly string[]): string {
  const more = names.length - most;
  return listed(more > 0 ? [...names.slice(0, most), `${count(more)} more`] : names);
}
