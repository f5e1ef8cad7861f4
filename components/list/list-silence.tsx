"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { atMoment } from "@/lib/domain/words/dates";

/**
 * Above a list: of when it is, if nothing newer has arrived; else nothing.
 * @param sinceMs from `useSilentSince`
 * @param say what is said for "at 14:02"
 */
export function ListSilence({
  sinceMs,
  say,
}: {
  sinceMs: number | null;
  say: (at: string) => string;
}) {
  const timeZone = useZone();
  const at = useNow((nowMs) => (sinceMs === null ? "" : atMoment(sinceMs, nowMs, timeZone)));
  return (
    <p role="status" className="list-silence">
      {at === "" ? null : say(at)}
    </p>
  );
}
