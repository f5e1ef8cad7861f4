"use client";

import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { confidenceLabel } from "@/components/shell/words";
import type { TodayHeard } from "@/lib/client/queries/today/today-query";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import type { Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { duration } from "@/lib/domain/words/format";
import { useTodayHere } from "./use-today-page";

/** In the top bar: how far the view can be trusted, and the age of its oldest check. */
export function TodayLive({ first, rhythmMs }: { first: TodayHeard | null; rhythmMs: number }) {
  const { heard, isSilent, isBlind, isPast } = useTodayHere(first, rhythmMs);
  const asOfMs = instantMs(heard?.today.as_of ?? null);
  const age = useNow((nowMs) => (asOfMs === null ? "" : duration(Math.max(0, nowMs - asOfMs))));
  if (heard === null || isPast) return null;
  const isDelayed = isSilent || heard.today.counts.delayed > 0;
  const confidence: Confidence =
    isBlind || asOfMs === null ? "blind" : isDelayed ? "delayed" : "live";
  const label = CONFIDENCE_LABEL[confidence];
  return (
    <span className="today-live" role="status" aria-label={confidenceLabel(`${label}, ${age}`)}>
      <ConfidenceIcon confidence={confidence} />
      <b className="font-medium">{age === "" ? label : `${label},`}</b>
      <span className="text-ink-3">{age}</span>
    </span>
  );
}
