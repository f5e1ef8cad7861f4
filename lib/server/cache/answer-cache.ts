import { createCompanyCache, type CompanyCache } from "./company-cache";
import { sharedState } from "@/lib/server/shared-state";

/**
 * Keeps one answer for each key while its version stays, so that it is made once however many ask. An answer
 * that cannot be made anew is replaced by the one before it, which tells its own age.
 * @param name unique in the process: the answers belong to their owner, under this name
 * @param most answers that are kept of each owner; the one that was asked for longest ago goes first
 * @param mostOfEach those of one company among them, which can't evict those of others
 * @returns a function; `owner` is what the answers are read from, and forgotten with
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
    const answer = before === undefined ? made : made.catch(() => before.answer);
    const entry = { version, answer };
    kept.set(company, key, entry);
    answer.catch(() => {
      if (kept.get(company, key) === entry) kept.delete(company, key);
    });
    return answer;
  };
}
