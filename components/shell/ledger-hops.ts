import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { duration } from "@/lib/domain/words/format";

/** What the hops need of a freshness ledger; null: not known. Milliseconds. */
type Ages = {
  partnerData: { youngestMs: number; oldestMs: number } | null;
  apiCache: { oldestMs: number } | null;
  snapshot: { ageMs: number } | null;
  screen: { ageMs: number } | null;
};

/** One hop of the freshness ledger in words; `isBad` says that it is this hop that keeps us back. */
export type LedgerHop = {
  name: "Partner data" | "Source cache" | "Last check" | "This screen";
  text: string;
  isBad: boolean;
};

/**
 * The four ages between a partner's data and the eye, always in this order.
 * @param given.reason why the last read did not succeed; null when it did
 * @param given.isServerSilent our own server does not answer this screen
 */
export function ledgerHops(
  { partnerData, apiCache, snapshot, screen }: Ages,
  given: { confidence: Confidence; reason: SourceReason | null; isServerSilent: boolean },
): readonly [LedgerHop, LedgerHop, LedgerHop, LedgerHop] {
  const { confidence, reason, isServerSilent } = given;
  const isBlind = confidence === "blind";
  // While our own server is silent, the upstream may well answer it.
  const isNotKnown = isServerSilent && isBlind && reason === null;
  const hasNoAnswer = (isBlind || reason !== null) && reason !== "starting" && !isNotKnown;
  return [
    {
      name: "Partner data",
      text:
        isBlind || partnerData === null
          ? "not seen"
          : ageRange(partnerData.youngestMs, partnerData.oldestMs),
      isBad: false,
    },
    {
      name: "Source cache",
      text:
        apiCache !== null && !hasNoAnswer && !isNotKnown
          ? `up to ${duration(apiCache.oldestMs)}`
          : reason === "starting"
            ? "not yet"
            : isNotKnown
              ? "not known"
              : "no response",
      isBad: hasNoAnswer,
    },
    {
      name: "Last check",
      text: snapshot === null ? "not yet" : duration(snapshot.ageMs),
      isBad: snapshot !== null && confidence !== "live",
    },
    {
      name: "This screen",
      text: screen === null ? "not yet" : duration(screen.ageMs),
      isBad: isServerSilent,
    },
  ];
}

function ageRange(youngestMs: number, oldestMs: number): string {
  const youngest = duration(youngestMs);
  const oldest = duration(oldestMs);
  return youngest === oldest ? youngest : `${youngest} to ${oldest}`;
}
