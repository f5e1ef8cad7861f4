import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { duration } from "@/lib/domain/words/format";
import {
  LAST_CHECK,
  NOT_KNOWN,
  NOT_RECORDED,
  NOT_SEEN,
  NOT_YET,
  NO_RESPONSE,
  PARTNER_DATA,
  SOURCE_CACHE,
  THIS_SCREEN,
  ageRange,
  upTo,
} from "./words";

/** What the hops need of a freshness ledger; null: not known. Milliseconds. */
type Ages = {
  partnerData: { youngestMs: number; oldestMs: number } | null;
  apiCache: { oldestMs: number } | null;
  snapshot: { ageMs: number } | null;
  screen: { ageMs: number } | null;
};

/** One hop of the freshness ledger in words; `isBad` says that it is this hop that keeps us back. */
export type LedgerHop = {
  name: string;
  text: string;
  isBad: boolean;
};

/**
 * The four ages between a partner's data and the screen, always in this order.
 * @param given.reason why the last read did not succeed; null when it did
 * @param given.isServerSilent our own server does not answer this screen
 * @param given.isRecording what is seen goes into the record
 */
export function ledgerHops(
  { partnerData, apiCache, snapshot, screen }: Ages,
  given: {
    confidence: Confidence;
    reason: SourceReason | null;
    isServerSilent: boolean;
    isRecording: boolean;
  },
): readonly [LedgerHop, LedgerHop, LedgerHop, LedgerHop] {
  const { confidence, reason, isServerSilent, isRecording } = given;
  const isBlind = confidence === "blind";
  // While our own server is silent, the upstream may well answer it.
  const isNotKnown = isServerSilent && isBlind && reason === null;
  const hasNoAnswer = (isBlind || reason !== null) && reason !== "starting" && !isNotKnown;
  return [
    {
      name: PARTNER_DATA,
      text:
        isBlind || partnerData === null
          ? NOT_SEEN
          : ageRange(duration(partnerData.youngestMs), duration(partnerData.oldestMs)),
      isBad: false,
    },
    {
      name: SOURCE_CACHE,
      text:
        apiCache !== null && !hasNoAnswer && !isNotKnown
          ? upTo(duration(apiCache.oldestMs))
          : reason === "starting"
            ? NOT_YET
            : isNotKnown
              ? NOT_KNOWN
              : NO_RESPONSE,
      isBad: hasNoAnswer,
    },
    {
      name: LAST_CHECK,
      text:
        snapshot === null
          ? NOT_YET
          : `${duration(snapshot.ageMs)}${isRecording ? "" : NOT_RECORDED}`,
      isBad: snapshot !== null && (confidence !== "live" || !isRecording),
    },
    {
      name: THIS_SCREEN,
      text: screen === null ? NOT_YET : duration(screen.ageMs),
      isBad: isServerSilent,
    },
  ];
}
