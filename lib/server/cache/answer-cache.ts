import { failureIn } from "@/lib/contracts/failure";
import { createCompanyCache, type CompanyCache } from "./company-cache";
import { sharedState } from "@/lib/server/shared-state";

/**
 * Caches one response per key and version, so that concurrent requests compute it once. If computing it fails, the
 * previous response is returned, which contains its own age.
 * @param name unique in the process; responses are stored with their owner under this name
 * @param most maximum per owner; the least recently used response is evicted first
 * @param mostOfEach maximum per company, which can't evict responses of others
 * @returns a function; responses are dropped together with `owner`, the object they are computed from
 */
export function answerCache<T>(name: string, most: number, mostOfEach: number) {
  type Kept = CompanyCache<{ version: string; answer: Promise<T> }>;

  return function cached(
    owner: object,
    company: string,
    key: string,
    version: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const kept = sharedState(owner, `answers: ${name}`, (): Kept =>
      createCompanyCache(most, mostOfEach),
    );
    const before = kept.get(company, key);
    if (before?.version === version) return before.answer;
    const made = make();
    const answer =
      before === undefined
        ? made
        : made.catch((error: unknown) => {
            const failure = failureIn(error);
            if (failure?.code === "invalid_request") throw failure;
            return before.answer;
          });
    const entry = { version, answer };
    kept.set(company, key, entry);
    answer.catch(() => {
      if (kept.get(company, key) === entry) kept.delete(company, key);
    });
    return answer;
  };
}
