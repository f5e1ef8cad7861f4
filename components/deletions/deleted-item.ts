import type { DeletionItem } from "@/lib/contracts/deletions";
import type { DeletedItem } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";

/** An item in the form that sentences take. */
export function deletedItem(item: DeletionItem): DeletedItem {
  const { outcome, outcome_at, next_look_at, seen_later: later } = item;
  return {
    outcome,
    outcomeMs: instantMs(outcome_at),
    nextLookMs: instantMs(next_look_at),
    seenLater: later === null ? null : { seen: later.seen, ms: instantMs(later.at) },
  };
}
