/**
 * Keeps one answer for each key while its turn lasts, so that it is made once however many ask. An answer
 * that cannot be made anew is replaced by the one before it, which tells its own age.
 * @param most keys that are kept of each owner; the one that was made longest ago goes first
 * @returns a function; `owner` is what the answers are read from, and forgotten with
 */
export function createPerTurn<T>(most: number) {
  type Kept = Map<string, { turn: string; answer: Promise<T> }>;
  const keptByOwner = new WeakMap<object, Kept>();

  return function perTurn(
    owner: object,
    key: string,
    turn: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const kept: Kept = keptByOwner.get(owner) ?? new Map();
    keptByOwner.set(owner, kept);
    const before = kept.get(key);
    if (before?.turn === turn) return before.answer;
    const made = make();
    const entry = { turn, answer: before === undefined ? made : made.catch(() => before.answer) };
    kept.delete(key);
    kept.set(key, entry);
    entry.answer.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return entry.answer;
  };
}
