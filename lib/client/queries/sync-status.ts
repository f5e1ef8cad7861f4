import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Source, SyncStatusView } from "@/lib/contracts/dashboard";
import { get } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { LATE_RHYTHM_MS, isSyncStatusView, nextAskMs } from "@/lib/client/snapshot";
import { useServerClock } from "@/lib/client/use-now";

/** React Query takes 0 for "never". */
const SOONEST_MS = 50;

/**
 * How long to wait before asking again, for `refetchInterval`.
 * @param source of the last answer, on the server's clock
 * @param lastAskMs when we last got an answer or failed to, on the browser's wall clock: React Query's
 */
export function untilNextAskMs(
  { next_refresh_at, rhythm_seconds }: Pick<Source, "next_refresh_at" | "rhythm_seconds">,
  lastAskMs: number,
  clock: ServerClock,
): number {
  const nowMs = Date.now();
  // The server's instant is moved onto the clock that React Query stamps with.
  const serverAheadMs = clock.nowMs() - nowMs;
  const askMs = nextAskMs({
    nextRefreshMs: Date.parse(next_refresh_at) - serverAheadMs,
    rhythmMs: rhythm_seconds * 1000,
    lastAskMs,
    jitter: tabJitter,
    isHidden: document.hidden,
  });
  return Math.max(SOONEST_MS, askMs - nowMs);
}

/** The last answer, and when it came: epoch milliseconds on the server's clock. */
export type SyncStatusAnswer = { view: SyncStatusView; receivedMs: number };

/** Drawn once per tab, so that a re-render never moves the next request. */
const tabJitter = Math.random();

/**
 * The snapshot of a company, asked for just after the server has a new one.
 * @param clock anchored to each answer; `next_refresh_at` is on the server's clock
 */
export const syncStatusQuery = (company: string, clock: ServerClock) =>
  queryOptions({
    queryKey: ["companies", company, "sync-status"],
    queryFn: async ({ signal }): Promise<SyncStatusAnswer> => {
      const path = `/companies/${encodeURIComponent(company)}/sync-status`;
      const { value, dateMs } = await get(path, isSyncStatusView, signal);
      if (dateMs !== null) clock.anchor(dateMs);
      return { view: value, receivedMs: clock.nowMs() };
    },
    // Only the interval below, a tab that is shown again and a gap in time ask again; never a mounting component.
    staleTime: Number.POSITIVE_INFINITY,
    // A hidden tab goes on, slower: its title tells the number of problems. It costs one answer a minute.
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return LATE_RHYTHM_MS;
      const lastAskMs = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
      return untilNextAskMs(state.data.view.source, lastAskMs, clock);
    },
  });

/**
 * Asks when more time has passed than this tab has seen, and when the browser loses its network: whether our server
 * can still be reached is then known at once.
 */
export function useAskAgain(clock: ServerClock, refetch: () => unknown): void {
  useEffect(() => {
    const ask = () => void refetch();
    const stop = clock.onGap(ask);
    window.addEventListener("offline", ask);
    return () => {
      stop();
      window.removeEventListener("offline", ask);
    };
  }, [clock, refetch]);
}

/** The newest answer this browser has; undefined until the first one came. Asks again by itself. */
export function useSyncStatus(company: string) {
  const clock = useServerClock();
  const query = useQuery(syncStatusQuery(company, clock));
  useAskAgain(clock, query.refetch);
  return query;
}
