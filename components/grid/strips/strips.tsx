"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { boardHistoryQuery } from "@/lib/client/queries/board-history";
import { useNow } from "@/lib/client/use-now";
import type { BoardHistory } from "@/lib/contracts/history";
import { instantMs } from "@/lib/domain/time/instant";
import { sparkline } from "./sparkline";
import { movedAxis, slotsAt, stripLabel, type StripAxis } from "./strip";
import { StripsContext, useStrip, type Strip, type Strips } from "./strips-context";
import { useMedia } from "@/components/ui/use-media";
import { MINUTE_MS } from "@/lib/domain/time/units";

/**
 * The strip of a line's element. When the element is reused for another endpoint, its texts change
 * at once and its paths in a deferred render; until then outdated paths are hidden.
 */
export function useDrawnStrip(endpointId: string): {
  strip: Strip | null;
  visibility: "hidden" | undefined;
} {
  const drawnId = useDeferredValue(endpointId);
  return { strip: useStrip(drawnId), visibility: drawnId === endpointId ? undefined : "hidden" };
}

/** Below this width the grid shows no strips, so nothing is fetched. */
const STRIP_QUERY = "(min-width: 1760px)";

/** Provides the history of the past 24 hours to the rows below, which render before it arrives. */
export function StripsProvider({ children }: { children: ReactNode }) {
  const { slug, asOf, source, confidence } = useLiveCompany();
  const isWanted = useMedia(STRIP_QUERY);
  const { data } = useQuery({ ...boardHistoryQuery(slug), enabled: isWanted });
  const offsetMs = source.api_clock_offset_ms;
  // Minute resolution: slots are long, and every strip is compared when this changes.
  const minuteMs = useNow((nowMs) => Math.floor((nowMs + offsetMs) / MINUTE_MS) * MINUTE_MS);
  const isBlind = confidence === "blind";
  const asOfMs = instantMs(asOf);
  const strips = useMemo(() => {
    const blindSinceMs = isBlind && asOfMs !== null ? asOfMs + offsetMs : null;
    return data === undefined ? NO_STRIPS : stripsOf(data, minuteMs, blindSinceMs);
  }, [data, minuteMs, isBlind, asOfMs, offsetMs]);
  return <StripsContext value={strips}>{children}</StripsContext>;
}

const NO_STRIPS: Strips = { axis: null, stripOf: () => null };

/**
 * @param nowMs epoch milliseconds on the API's clock, as is `blindSinceMs`
 * @param blindSinceMs start of blindness; null while not blind
 */
function stripsOf(history: BoardHistory, nowMs: number, blindSinceMs: number | null): Strips {
  const given: StripAxis = {
    fromMs: instantMs(history.from) ?? nowMs,
    untilMs: instantMs(history.until) ?? nowMs,
    slotMs: history.slot_minutes * MINUTE_MS,
  };
  const axis = movedAxis(given, nowMs);
  const byId = new Map(history.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const strips = new Map<string, Strip>();
  const stripOf = (endpointId: string): Strip | null => {
    const known = byId.get(endpointId);
    if (known === undefined) return null;
    let strip = strips.get(endpointId);
    if (strip === undefined) {
      const slots = slotsAt(known.slots, given, axis, blindSinceMs ?? Infinity);
      const runs = { seen: known.runs, notCompleted: known.not_completed };
      strip = {
        slots,
        label: stripLabel(runs, slots),
        runs,
        calls: sparkline(known.calls),
        verdict: known.verdict,
        sinceMs: instantMs(known.verdict_since),
      };
      strips.set(endpointId, strip);
    }
    return strip;
  };
  return { axis, stripOf };
}
