import { failureIn } from "@/lib/contracts/failure";
import { createCompanyCache, type CompanyCache } from "./company-cache";
import { sharedState } from "@/lib/server/shared-state";

/**
 * Caches one response per key and version, so that concurrent requests compute it once. If computing it fails, the
 * previous response is returned, which contains its own age.
 * @param name unique in the process; responses are stored with their owner under this name
 * @param most maximum per owner; the least recently used response is evicted first
 * @param mostOfEach maximum per company, which can't evict responses of others
 * @returns a function; responses are dropped together with `owner`, the object they are computed from. `ahead` computes
 * the response to a later version while requests get the present one, which it then replaces for both versions; it does
 * nothing if there is none
 */
export function answerCache<T>(name: string, most: number, mostOfEach: number) {
  /** `replaces`: the version before, if the response was computed ahead and is newer than that version's */
  type Entry = { version: string; replaces: string | null; answer: Promise<T> };
  type Kept = CompanyCache<Entry>;
  /** `before`: the previous response; null: none */
  type Make = (before: T | null) => Promise<T>;

  const keptOf = (owner: object) =>
    sharedState(owner, `answers: ${name}`, (): Kept => createCompanyCache(most, mostOfEach));

  const isFor = (entry: Entry, version: string) =>
    entry.version === version || entry.replaces === version;

  function cached(
    owner: object,
    company: string,
    key: string,
    version: string,
    make: Make,
  ): Promise<T> {
    const kept = keptOf(owner);
    const before = kept.get(company, key);
    if (before !== undefined && isFor(before, version)) return before.answer;
    const answer =
      before === undefined
        ? make(null)
        : before.answer
            .catch(() => null)
            .then(make)
            .catch((error: unknown) => {
              const failure = failureIn(error);
              if (failure?.code === "invalid_request") throw failure;
              return before.answer;
            });
    const entry: Entry = { version, replaces: null, answer };
    kept.set(company, key, entry);
    answer.catch(() => {
      if (kept.get(company, key) === entry) kept.delete(company, key);
    });
    return answer;
  }

  async function ahead(
    owner: object,
    company: string,
    key: string,
    version: string,
    make: Make,
  ): Promise<void> {
    const kept = keptOf(owner);
    const before = kept.get(company, key);
    if (before === undefined || before.version === version) return;
    const answer = await make(await before.answer);
    if (kept.get(company, key) !== before) return;
    kept.set(company, key, {
      version,
      replaces: before.version,
      answer: Promise.resolve(answer),
    });
  }

  return Object.assign(cached, { ahead });
}
