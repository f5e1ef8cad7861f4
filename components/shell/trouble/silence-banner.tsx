"use client";

import { useZone } from "@/components/shell/time/zone";
import { RETRYING } from "@/components/shell/words";
import { useNow } from "@/lib/client/use-now";
import type { Silence } from "@/lib/domain/silence";
import { silenceSentence } from "@/lib/domain/words/trouble-words";

/**
 * That this browser gets no data from Plumbline.
 * @param silence null: it does
 * @param receivedMs when it got the last, epoch milliseconds; null: none yet, which the page says
 */
export function SilenceBanner({
  silence,
  receivedMs,
}: {
  silence: Silence | null;
  receivedMs: number | null;
}) {
  const timeZone = useZone();
  const sentence = useNow((nowMs) =>
    silence === null || receivedMs === null
      ? null
      : silenceSentence(silence, receivedMs, { nowMs, timeZone }),
  );
  return sentence === null ? null : (
    <p className="banner" role="status">
      <strong>{sentence}</strong> {RETRYING}
    </p>
  );
}
