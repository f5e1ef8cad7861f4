import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Source, SyncStatusView } from "@/lib/contracts/dashboard";
import { get } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { instantMs } from "@/lib/domain/time/instant";
import { LATE_RHYTHM_MS, isSyncStatusView, nextRequestMs } from "@/lib/client/snapshot";
import { useServerClock } from "@/lib/client/use-now";
import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";
import { openIncidentsQuery } from "./incidents";
import { quietQuery } from "./quiet";
import { follow } from "./views/tagged";

/** React Query treats 0 as "never". */
const SOONEST_MS = 50;

/**
 * Delay until the next request, for `refetchInterval`.
 * @param source of the last response, on the server's clock
 * @param lastRequestMs when the last request succeeded or failed, on the browser's wall clock, from React Query
 */
export function untilNextRequestMs(
  { next_refresh_at, rhythm_seconds }: Pick<Source, "next_refresh_at" | "rhythm_seconds">,
  lastRequestMs: number,
  clock: ServerClock,
): number {
  const nowMs = Date.now();
  // Converts the server's instant to the clock of React Query's timestamps.
  const serverAheadMs = clock.nowMs() - nowMs;
  const nextMs = instantMs(next_refresh_at);
  const requestMs = nextRequestMs({
    nextRefreshMs: nextMs === null ? null : nextMs - serverAheadMs,
    rhythmMs: rhythm_seconds * 1000,
    // One in the future was before the wall clock was set back.
    lastRequestMs: Math.min(lastRequestMs, nowMs),
    jitter: tabJitter,
    isHidden: document.hidden,
  });
  return Math.max(SOONEST_MS, requestMs - nowMs);
}

/** The last response, and when it was received: epoch milliseconds on the server's clock. */
export type ReceivedSyncStatus = { view: SyncStatusView; receivedMs: number };

/** Chosen once per tab, so that a render never changes the time of the next request. */
const tabJitter = Math.random();

/**
 * The snapshot of a company, refetched just after the server has a new one.
 * @param clock anchored to each response; `next_refresh_at` is on the server's clock
 */
export const syncStatusQuery = (company: string, clock: ServerClock) =>
  queryOptions({
    queryKey: ["companies", company, "sync-status"],
    queryFn: async ({ signal, client }): Promise<ReceivedSyncStatus> => {
      const path = `/companies/${encodeURIComponent(company)}/sync-status`;
      const { value, serverTime, header } = await get(path, isSyncStatusView, signal);
      const { incidents, quiet } = OPEN_LISTS;
      follow(client, openIncidentsQuery(company).queryKey, header(incidents.header));
      follow(client, quietQuery(company).queryKey, header(quiet.header));
      clock.anchor(serverTime);
      return { view: value, receivedMs: clock.nowMs() };
    },
    // Refetches only by the interval below, when a tab becomes visible, and after a gap in time; never on mount.
    staleTime: Number.POSITIVE_INFINITY,
    // A hidden tab continues more slowly, because its title shows the number of problems. That costs one request a
    // minute.
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return LATE_RHYTHM_MS;
      const lastRequestMs = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
      return untilNextRequestMs(state.data.view.source, lastRequestMs, clock);
    },
  });

/**
 * Refetches after a gap in this tab's time, and when the browser goes offline, to find out at once whether our server
 * can still be reached.
 */
export function useRefetchAfterGap(clock: ServerClock, refetch: () => unknown): void {
  useEffect(() => {
    const refetchNow = () => void refetch();
    const stop = clock.onGap(refetchNow);
    window.addEventListener("offline", refetchNow);
    return () => {
      stop();
      window.removeEventListener("offline", refetchNow);
    };
  }, [clock, refetch]);
}

/** The newest response of this browser; undefined before the first one. Refetches automatically. */
export function useSyncStatus(company: string) {
  const clock = useServerClock();
  const query = useQuery(syncStatusQuery(company, clock));
  useRefetchAfterGap(clock, query.refetch);
  return query;
}
