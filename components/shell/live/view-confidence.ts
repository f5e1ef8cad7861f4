import { createContext, use } from "react";
import { ledgerHops } from "@/components/shell/ledger-hops";
import { LAST_CHECK, NOT_KNOWN, PARTNER_DATA } from "@/components/shell/words";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import type { Confidence } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, counted, duration } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { fleetHops } from "./fleet";
import { fleetWords } from "./fleet-words";
import { withFleetTitles } from "./use-fleet-hops";
import { sameHops, type Hop } from "./use-hops";

/** A page's view of several customers, and how this browser got it. */
export type ViewStatus = {
  /** Null: there is none yet. */
  view: {
    /** The oldest check of those that are seen, ISO 8601; null: none is. */
    asOf: string | null;
    /** Number of delayed customers. */
    delayed: number;
    /** Number of customers that aren't seen. */
    unseen: number;
    /** Name of one of them; undefined: not known. */
    unseenName: string | undefined;
  } | null;
  /** Epoch milliseconds on the server's clock; null: never. */
  receivedMs: number | null;
  /** Our server doesn't respond to this browser. */
  isSilent: boolean;
  /** Nothing was received for longer than a delayed source would have been silent. */
  isOutdated: boolean;
  /** Both, for as long as a source that we can't see. */
  isBlind: boolean;
  isPast: boolean;
  /** The partner that the page is about; null: all. */
  partner: string | null;
};

const ViewStatusContext = createContext<ViewStatus | null>(null);
export const ViewStatusProvider = ViewStatusContext;

/** The view of the page. */
export function useViewStatus(): ViewStatus {
  const status = use(ViewStatusContext);
  if (status === null) throw new Error("ViewStatusProvider is missing above this component");
  return status;
}

/** How far a view can be trusted. */
export type ViewConfidence = {
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
export function useViewConfidence({
  view,
  isSilent,
  isOutdated,
  isBlind,
  isPast,
}: ViewStatus): ViewConfidence | null {
  const asOfMs = instantMs(view?.asOf ?? null);
  const age = useNow((nowMs) => (asOfMs === null ? "" : duration(Math.max(0, nowMs - asOfMs))));
  if (view === null || isPast) return null;
  const { delayed, unseen, unseenName } = view;
  const isDelayed = isSilent || isOutdated || delayed > 0;
  const isNoneSeen = isBlind || asOfMs === null;
  const confidence: Confidence =
    isNoneSeen || unseen > 0 ? "blind" : isDelayed ? "delayed" : "live";
  return {
    confidence,
    label: CONFIDENCE_LABEL[confidence],
    detail: unseen > 0 ? counted(unseen, "customer") : age,
    note: [fleetWords.blind(unseen, unseenName), fleetWords.delayed(delayed)]
      .filter(Boolean)
      .join("; "),
    isBlind: isNoneSeen,
    isFolded: !isNoneSeen && !isDelayed,
  };
}

/**
 * Data ages of a view. What only the list of customers has is said to be unknown without it.
 * @param companies the list; null: not read
 */
export function useViewHops(
  { view, receivedMs, isSilent }: ViewStatus,
  confidence: Confidence,
  companies: readonly CompanySummary[] | null,
): readonly Hop[] {
  const timeZone = useZone();
  const asOfMs = instantMs(view?.asOf ?? null);
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
          ).map((hop) => (isNotHeld(hop, asOfMs) ? { ...hop, text: NOT_KNOWN } : hop))
        : fleetHops(companies, nowMs, { receivedMs, isServerSilent: isSilent });
    const screenAt = receivedMs === null ? null : absoluteTime(receivedMs, timeZone);
    return withFleetTitles(hops, screenAt);
  }, sameHops);
}

/** Whether a view has no data age of a hop: customers that aren't seen now may well have been checked before. */
function isNotHeld({ name }: { name: string }, asOfMs: number | null): boolean {
  return name === PARTNER_DATA || (name === LAST_CHECK && asOfMs === null);
}
