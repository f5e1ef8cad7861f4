import type { Judgement } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";
import { missedSyncMs } from "./missed-sync";

/**
 * The next sync of an incident: the first one ahead among its feeds in trouble, or, if none is ahead, the last one that
 * was due and shows no sign of having started.
 * @param feeds its feeds; those that aren't in trouble don't count
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds; null: no time is set
 */
export function nextSyncMs(
  feeds: readonly Pick<Judgement, "word" | "terms">[],
  apiNowMs: number,
): number | null {
  const inTrouble = feeds.filter(({ word }) => isTrouble(word));
  const ahead = inTrouble.flatMap(({ terms: { nextMs } }) =>
    nextMs !== null && nextMs > apiNowMs ? [nextMs] : [],
  );
  if (ahead.length > 0) return Math.min(...ahead);
  const missed = inTrouble.flatMap(({ terms }) => missedSyncMs(terms, apiNowMs) ?? []);
  return missed.length > 0 ? Math.max(...missed) : null;
}
