import { ledgerHops } from "@/components/shell/ledger-hops";
import { fleetHops } from "@/components/shell/live/fleet";
import { fleetWords } from "@/components/shell/live/fleet-words";
import { withFleetTitles } from "@/components/shell/live/use-fleet-hops";
import { sameHops, type Hop } from "@/components/shell/live/use-hops";
import { NOT_KNOWN, PARTNER_DATA } from "@/components/shell/words";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import type { Confidence } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, counted, duration } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import type { TodayHere } from "./today-here";

/** How far the first page can be trusted. */
export type TodayConfidence = {
  /** The worst of all customers: one that can't be seen must not stand behind a calm mark. */
  confidence: Confidence;
  label: string;
  /** After the label: whom we can't see, or the age of the oldest check; empty: unknown. */
  detail: string;
  /** For the bar: "can’t see Tarn Airports; 2 delayed". */
  note: string;
  /** No customer is seen. */
  isBlind: boolean;
  /** Those that are seen are live, so that the top bar says enough. */
  isFolded: boolean;
};

/** How far the view can be trusted; null: there is none, or it is of the past. */
export function useTodayConfidence({
  heard,
  isSilent,
  isUnheard,
  isBlind,
  isPast,
}: TodayHere): TodayConfidence | null {
  const asOfMs = instantMs(heard?.today.as_of ?? null);
  const age = useNow((nowMs) => (asOfMs === null ? "" : duration(Math.max(0, nowMs - asOfMs))));
  if (heard === null || isPast) return null;
  const { counts, unseen } = heard.today;
  const { delayed, unseen_companies: unseenCount } = counts;
  const isDelayed = isSilent || isUnheard || delayed > 0;
  const isNoneSeen = isBlind || asOfMs === null;
  const confidence: Confidence =
    isNoneSeen || unseenCount > 0 ? "blind" : isDelayed ? "delayed" : "live";
  const names = unseen.map(({ company: { name } }) => name);
  return {
    confidence,
    label: CONFIDENCE_LABEL[confidence],
    detail: unseenCount > 0 ? counted(unseenCount, "customer") : age,
    note: [fleetWords.blind(names), fleetWords.delayed(delayed)].filter(Boolean).join("; "),
    isBlind: isNoneSeen,
    isFolded: !isNoneSeen && !isDelayed,
  };
}

/**
 * Data ages of the first page. What only the list of customers has is said to be unknown without it.
 * @param companies the list; null: not read
 */
export function useTodayHops(
  { heard, isSilent }: TodayHere,
  confidence: Confidence,
  companies: readonly CompanySummary[] | null,
): readonly Hop[] {
  const timeZone = useZone();
  const asOfMs = instantMs(heard?.today.as_of ?? null);
  const receivedMs = heard?.receivedMs ?? null;
  return useNow((nowMs): readonly Hop[] => {
    const screen = receivedMs === null ? null : { ageMs: Math.max(0, nowMs - receivedMs) };
    const hops =
      companies === null || companies.length === 0 || receivedMs === null
        ? ledgerHops(
            {
              partnerData: null,
              apiCache: null,
              snapshot: asOfMs === null ? null : { ageMs: Math.max(0, nowMs - asOfMs) },
              screen,
            },
            { confidence, reason: null, isServerSilent: isSilent, isRecording: true },
          ).map((hop) => (hop.name === PARTNER_DATA ? { ...hop, text: NOT_KNOWN } : hop))
        : fleetHops(companies, nowMs, { receivedMs, isServerSilent: isSilent });
    const screenAt = receivedMs === null ? null : absoluteTime(receivedMs, timeZone);
    return withFleetTitles(hops, screenAt);
  }, sameHops);
}
