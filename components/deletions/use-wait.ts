import { useQuery } from "@tanstack/react-query";
import { useLiveCompany } from "@/components/shell/live-company";
import { syncStatusQuery } from "@/lib/client/queries/sync-status";
import type { DeletionAnswer } from "@/lib/client/queries/deletion";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { WaitFacts } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";

/** Asked for more often than the board needs it: a deletion changes it by the second. */
const FACTS_EVERY_MS = 5000;

/** What is known of why a deletion waits. @param isWatched somebody looks at one that is under way */
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

/** How long a deletion still waits, in whole seconds' milliseconds; null when nothing holds it up. */
export function useWaitingMs({ view, aheadMs }: DeletionAnswer): number | null {
  const untilMs = instantMs(view.waiting_until);
  return useNow((nowMs) =>
    untilMs === null ? null : Math.ceil(Math.max(0, untilMs - nowMs - aheadMs) / 1000) * 1000,
  );
}
