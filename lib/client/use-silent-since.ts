import { useState } from "react";
import { INCIDENTS_EVERY_MS } from "./queries/incidents";
import { useNow, useServerClock } from "./use-now";

/** A list shows its age after this time without an update: three missed responses. */
const SILENT_MS = 3 * INCIDENTS_EVERY_MS;

/**
 * The time of a list, if it hasn't been updated for too long, whether a request failed, hangs or was never sent, or if
 * that is unknown after sleep.
 * @param updatedAt the query's `dataUpdatedAt`: it changes with every response
 * @returns epoch milliseconds on the server's clock; null: the list is current
 */
export function useSilentSince(updatedAt: number): number | null {
  const clock = useServerClock();
  const [lastUpdate, setLastUpdate] = useState(() => ({ updatedAt, atMs: clock.nowMs() }));
  if (lastUpdate.updatedAt !== updatedAt) setLastUpdate({ updatedAt, atMs: clock.nowMs() });
  return useNow((nowMs) =>
    !clock.isCertain() || nowMs - lastUpdate.atMs > SILENT_MS ? lastUpdate.atMs : null,
  );
}
