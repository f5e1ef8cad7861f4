import type { DeletionItem } from "@/lib/contracts/deletions";
import type { DeletedItem } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";

/** An item as the sentences want it. */
export function deletedItem({ outcome, outcome_at, next_look_at }: DeletionItem): DeletedItem {
  return { outcome, outcomeMs: instantMs(outcome_at), nextLookMs: instantMs(next_look_at) };
}
