"use client";

import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { confidenceLabel } from "@/components/shell/words";
import type { TodayHeard } from "@/lib/client/queries/today/today-query";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import type { Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { counted, duration } from "@/lib/domain/words/format";
import { useTodayHere } from "./use-today-page";

/** In the top bar: how far the view can be trusted, and the age of its oldest check. */
export function TodayLive({ first, rhythmMs }: { first: TodayHeard | null; rhythmMs: number }) {
  const { heard, isSilent, isBlind, isPast } = useTodayHere(first, rhythmMs);
  const asOfMs = instantMs(heard?.today.as_of ?? null);
  const age = useNow((nowMs) => (asOfMs === null ? "" : duration(Math.max(0, nowMs - asOfMs))));
  if (heard === null || isPast) return null;
  const { delayed, unseen_companies: unseen } = heard.today.counts;
  const isDelayed = isSilent || delayed > 0;
  // One customer that can't be seen must not stand behind a calm mark.
  const confidence: Confidence =
    isBlind || asOfMs === null || unseen > 0 ? "blind" : isDelayed ? "delayed" : "live";
  const label = CONFIDENCE_LABEL[confidence];
  const detail = unseen > 0 ? counted(unseen, "customer") : age;
  return (
    <span className="today-live" role="status" aria-label={confidenceLabel(`${label}, ${detail}`)}>
      <ConfidenceIcon confidence={confidence} />
      <b className="font-medium">{detail === "" ? label : `${label},`}</b>
      <span className="text-ink-3">{detail}</span>
    </span>
  );
}
