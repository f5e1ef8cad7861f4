/**
 * Keeps one answer for each key while its turn lasts, so that it is made once however many ask. An answer
 * that cannot be made anew is replaced by the one before it, which tells its own age.
 * @param most keys that are kept; the one that was made longest ago goes first
 */
export function createPerTurn<T>(most: number) {
  const kept = new Map<string, { turn: string; answer: Promise<T> }>();

  return function perTurn(key: string, turn: string, make: () => Promise<T>): Promise<T> {
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
