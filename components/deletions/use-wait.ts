import { useQuery } from "@tanstack/react-query";
import { useLiveCompany } from "@/components/shell/live-company";
import { syncStatusQuery } from "@/lib/client/queries/sync-status";
import type { DeletionAnswer } from "@/lib/client/queries/deletion";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { WaitFacts } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";

/** Polled more often than the board: a deletion changes it every second. */
const FACTS_EVERY_MS = 5000;

/** Facts about why a deletion waits. @param isWatched a running one is visible */
export function useWaitFacts(isWatched: boolean): WaitFacts {
  const { slug, source } = useLiveCompany();
  const clock = useServerClock();
  useQuery({
    ...syncStatusQuery(slug, clock),
    refetchInterval: FACTS_EVERY_MS,
    enabled: isWatched,
  });
  const { budget, reason, rate_limit: limit } = source;
  const resetMs = instantMs(limit?.reset_at ?? null);
  const rateLimit =
    limit === null || resetMs === null ? null : { remaining: limit.remaining, resetMs };
  return { budget, reason, rateLimit };
}

/** Remaining wait of a deletion, milliseconds in whole seconds; null when it isn't waiting. */
export function useWaitingMs({ view, aheadMs }: DeletionAnswer): number | null {
  const untilMs = instantMs(view.waiting_until);
  return useNow((nowMs) =>
    untilMs === null ? null : Math.ceil(Math.max(0, untilMs - nowMs - aheadMs) / 1000) * 1000,
  );
}
