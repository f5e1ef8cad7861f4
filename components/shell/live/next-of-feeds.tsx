"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { sameNextTexts, scheduledTexts } from "@/lib/domain/words/next-sync-text";
import { NextSync } from "@/components/marks/next-sync";

/**
 * The first future sync of several feeds, or the one that is due.
 * @param nextMs their scheduled syncs, epoch milliseconds on the API's clock, ascending
 */
export function NextOfFeeds({ nextMs }: { nextMs: readonly number[] }) {
  const { source } = useLiveCompany();
  const timeZone = useZone();
  const text = useNow((nowMs) => {
    const apiNowMs = nowMs + source.api_clock_offset_ms;
    const shownMs = nextMs.find((ms) => ms > apiNowMs) ?? nextMs.at(-1) ?? null;
    return scheduledTexts(shownMs, apiNowMs, timeZone);
  }, sameNextTexts);
  return <NextSync {...text} />;
}
