import type { Clock } from "@/lib/server/clock";
import { sharedState } from "@/lib/server/shared-state";
import { createCompanyCache, type CompanyCache } from "./company-cache";

/**
 * Caches responses about data that grows all the time: one computation per key at a time, which all callers share, and
 * the next one no sooner than `holdsMs` after it ended. A failed one is repeated at the next call.
 * @param name unique in the process; responses are stored with their owner under this name
 * @param options.most maximum per owner; the least recently used response is evicted first
 * @param options.mostOfEach maximum per company, which can't evict responses of others
 * @returns a function; responses are dropped together with `owner`, the object they are computed from
 */
export function pacedAnswers<T>(
  name: string,
  { most, mostOfEach, holdsMs }: { most: number; mostOfEach: number; holdsMs: number },
) {
  /** `endedMs`: on the monotonic clock; null: still being computed */
  type Entry = { answer: Promise<T>; endedMs: number | null };

  return function paced(
    { owner, clock }: { owner: object; clock: Pick<Clock, "monotonicMs"> },
    company: string,
    key: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const kept = sharedState(owner, `paced answers: ${name}`, (): CompanyCache<Entry> =>
      createCompanyCache(most, mostOfEach),
    );
    const before = kept.get(company, key);
    const isHeld =
      before !== undefined &&
      (before.endedMs === null || clock.monotonicMs() - before.endedMs < holdsMs);
    if (isHeld) return before.answer;
    const answer = make().finally(() => {
      entry.endedMs = clock.monotonicMs();
    });
    const entry: Entry = { answer, endedMs: null };
    kept.set(company, key, entry);
    answer.catch(() => {
      if (kept.get(company, key) === entry) kept.delete(company, key);
    });
    return answer;
  };
}
