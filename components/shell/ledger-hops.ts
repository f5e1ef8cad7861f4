import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { ageRange, duration } from "@/lib/domain/words/format";
import {
  LAST_CHECK,
  NOT_KNOWN,
  NOT_RECORDED,
  NOT_SEEN,
  NOT_YET,
  NO_NEW_DATA,
  PARTNER_DATA,
  SOURCE_CACHE,
  THIS_SCREEN,
  upTo,
} from "./words";

/** Inputs of the hops; null: unknown. Milliseconds. */
type Ages = {
  partnerData: { youngestMs: number; oldestMs: number } | null;
  apiCache: { oldestMs: number } | null;
  snapshot: { ageMs: number } | null;
  screen: { ageMs: number } | null;
};

/** One hop of the freshness ledger as text; `isBad`: this hop causes the delay. */
export type LedgerHop = {
  name: string;
  text: string;
  isBad: boolean;
};

/** What was received instead of data. */
const REFUSED: Readonly<Record<SourceReason | "several", string>> = {
  unreachable: "no response",
  rate_limited: "rate limited",
  unauthorized: "access refused",
  forbidden: "access refused",
  invalid_response: "invalid response",
  starting: NOT_YET,
  disconnected: "paused",
  secret_unreadable: "secret unreadable",
  several: NO_NEW_DATA,
};

/** Why several companies were not read: their common reason, ignoring first checks in progress. */
export function reasonOfAll(reasons: readonly SourceReason[]): SourceReason | "several" | null {
  const distinct = new Set(reasons.filter((reason) => reason !== "starting"));
  const [first = reasons[0] ?? null] = distinct;
  return distinct.size > 1 ? "several" : first;
}

/**
 * The four data ages between a partner and the screen, always in this order.
 * @param given.reason why the last read failed, `several` where companies differ; null after a
 *   success
 * @param given.isServerSilent our server does not respond to this screen
 * @param given.isRecording data is being recorded
 */
export function ledgerHops(
  { partnerData, apiCache, snapshot, screen }: Ages,
  given: {
    confidence: Confidence;
    reason: SourceReason | "several" | null;
    isServerSilent: boolean;
    isRecording: boolean;
  },
): readonly [LedgerHop, LedgerHop, LedgerHop, LedgerHop] {
  const { confidence, reason, isServerSilent, isRecording } = given;
  const isBlind = confidence === "blind";
  // While our server doesn't respond, the source may well respond to it. After a successful last
  // check, it is we who haven't checked since.
  const isNotKnown = isBlind && (reason === null || isServerSilent) && reason !== "starting";
  const isRefused = reason !== null && reason !== "starting" && !isNotKnown;
  return [
    {
      name: PARTNER_DATA,
      text: isBlind || partnerData === null ? NOT_SEEN : ageRange(partnerData),
      isBad: false,
    },
    {
      name: SOURCE_CACHE,
      text:
        isNotKnown || (apiCache === null && reason === null)
          ? NOT_KNOWN
          : reason === null
            ? upTo(duration(apiCache?.oldestMs ?? 0))
            : REFUSED[reason],
      isBad: isRefused,
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
