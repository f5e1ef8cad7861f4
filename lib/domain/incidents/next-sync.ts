import type { Judgement } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";

/**
 * The next sync of an incident: the first one ahead among its feeds in trouble, or, if none is ahead, the last one that
 * was due. Whether that one has started isn't looked at.
 * @param feeds its feeds; those that aren't in trouble don't count
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds; null: no time is set
 */
export function nextSyncMs(
  feeds: readonly Pick<Judgement, "word" | "terms">[],
  apiNowMs: number,
): number | null {
  const times = feeds.flatMap(({ word, terms }) =>
    isTrouble(word) && terms.nextMs !== null ? [terms.nextMs] : [],
  );
  const ahead = times.filter((ms) => ms > apiNowMs);
  if (ahead.length > 0) return Math.min(...ahead);
  return times.length > 0 ? Math.max(...times) : null;
}
