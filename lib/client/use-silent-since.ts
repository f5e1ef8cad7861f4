import { useState } from "react";
import { INCIDENTS_EVERY_MS } from "./queries/incidents";
import { useNow, useServerClock } from "./use-now";

/** So many answers are missed before a list says of when it is. */
const SILENT_MS = 3 * INCIDENTS_EVERY_MS;

/**
 * Of when a list is, once nothing has been heard of it for too long, whether a request failed, hangs or was never made.
 * @param updatedAt the query's `dataUpdatedAt`: it changes with every answer
 * @returns epoch milliseconds on the server's clock; null: it is how things are now
 */
export function useSilentSince(updatedAt: number): number | null {
  const clock = useServerClock();
  const [heard, setHeard] = useState(() => ({ updatedAt, atMs: clock.nowMs() }));
  if (heard.updatedAt !== updatedAt) setHeard({ updatedAt, atMs: clock.nowMs() });
  return useNow((nowMs) => (nowMs - heard.atMs > SILENT_MS ? heard.atMs : null));
}
