import { useMemo } from "react";
import { statusOf } from "@/lib/client/api";
import { overdueFromMs } from "@/lib/client/snapshot";
import type { ListedSource } from "@/lib/contracts/dashboard";
import { silenceOf, type Silence } from "@/lib/domain/silence";
import { useNow, useServerClock } from "./use-now";

/**
 * Why our server doesn't respond to this browser; null: it does. A request that hangs, and a tab that sleeps, haven't
 * failed, but have no response either.
 * @param query the last request, as it ended
 * @param last the last response: when it was received, on the server's clock, and when the next is due; `source` null: none
 * is
 * @param marginMs how much later than usual that may come
 */
export function useSilence(
  { isError, error }: { isError: boolean; error: Error | null },
  last: {
    source: Pick<ListedSource, "next_refresh_at" | "rhythm_seconds"> | null;
    receivedMs: number;
  },
  marginMs = 0,
): Silence | null {
  const clock = useServerClock();
  const { source, receivedMs } = last;
  const isOverdue = useNow(
    (nowMs) =>
      source !== null &&
      (!clock.isCertain() || nowMs > overdueFromMs(source, receivedMs) + marginMs),
  );
  return useMemo(() => {
    if (!isError && !isOverdue) return null;
    return silenceOf(isError ? statusOf(error) : 0, navigator.onLine);
  }, [isError, isOverdue, error]);
}
