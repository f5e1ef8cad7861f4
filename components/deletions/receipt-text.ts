import type { DeletionView } from "@/lib/contracts/deletions";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import {
  inReceiptOrder,
  outcomeText,
  receiptTitle,
  unknownSentence,
} from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime } from "@/lib/domain/words/format";
import { deletedItem } from "./deleted-item";
import { receipt } from "./words";

/** The outcome of each file, as a text to share. */
export function receiptText(
  { items, state, requested_at, requested_by }: DeletionView,
  { companyName, timeZone }: { companyName: string; timeZone: string },
): string {
  const requestedAt = absoluteTime(instantMs(requested_at) ?? Number.NaN, timeZone);
  const lines = inReceiptOrder(items).map((item) => {
    const text = outcomeText(deletedItem(item), state, timeZone) || receipt.notRequested;
    const next =
      item.outcome === "unknown" ? unknownSentence(instantMs(item.next_look_at), timeZone) : "";
    return receipt.line(inOwnOrder(item.name), item.file_id, text, next);
  });
  return [
    `${companyName}, ${receiptTitle(items.map(({ outcome }) => outcome))}`,
    receipt.requestedBy(requested_by, requestedAt),
    ...lines,
  ].join("\n");
}
