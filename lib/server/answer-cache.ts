import { LRUCache } from "lru-cache";

/**
 * Keeps one answer for each key while its version stays, so that it is made once however many ask. An answer
 * that cannot be made anew is replaced by the one before it, which tells its own age.
 * @param most keys that are kept of each owner; the one that was asked for longest ago goes first
 * @returns a function; `owner` is what the answers are read from, and forgotten with
 */
export function createAnswerCache<T>(most: number) {
  type Kept = LRUCache<string, { version: string; answer: Promise<T> }>;
  const keptByOwner = new WeakMap<object, Kept>();

  return function cached(
    owner: object,
    key: string,
    version: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const kept: Kept = keptByOwner.get(owner) ?? new LRUCache({ max: most });
    keptByOwner.set(owner, kept);
    const before = kept.get(key);
    if (before?.version === version) return before.answer;
    const made = make();
    const answer = before === undefined ? made : made.catch(() => before.answer);
    const entry = { version, answer };
    kept.set(key, entry);
    answer.catch(() => {
      if (kept.peek(key) === entry) kept.delete(key);
    });
    return answer;
  };
}
