/** A serialised body with the ETag of exactly these bytes. */
export type CachedBody = { body: Uint8Array<ArrayBuffer>; etag: string };

export type ResponseCache = {
  /** The body under `key`, built at most once per lifetime, also when many ask at the same time. */
  get(key: string, build: () => Promise<CachedBody>): Promise<CachedBody>;
};

type Entry = { body: Promise<CachedBody>; builtAtMs: number; bytes: number };

/** What an entry costs beside its body. */
const ENTRY_BYTES = 512;

/**
 * Keeps bodies for `lifetimeMs`, and of them no more than `maxBytes`: the one used longest ago goes
 * first. Bytes are kept rather than rows, so that a hit costs no serialising.
 */
export function createResponseCache(options: {
  lifetimeMs: number;
  maxBytes: number;
  nowMs: () => number;
}): ResponseCache {
  const { lifetimeMs, maxBytes, nowMs } = options;
  const entries = new Map<string, Entry>();
  let totalBytes = 0;

  function drop(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    totalBytes -= entry.bytes;
  }

  function grow(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    totalBytes += bytes;
    for (const [oldest, other] of entries) {
      if (totalBytes <= maxBytes) break;
      drop(oldest, other);
    }
  }

  async function measure(key: string, entry: Entry): Promise<void> {
    try {
      const { body } = await entry.body;
      if (entries.get(key) === entry) grow(entry, body.byteLength);
    } catch {
      // A failure is not an answer: the next request tries again.
      drop(key, entry);
    }
  }

  return {
    get(key, build) {
      const known = entries.get(key);
      if (known) {
        const ageMs = nowMs() - known.builtAtMs;
        if (ageMs >= 0 && ageMs < lifetimeMs) {
          entries.delete(key);
          entries.set(key, known);
          return known.body;
        }
        drop(key, known);
      }
      const entry: Entry = { body: build(), builtAtMs: nowMs(), bytes: 0 };
      entries.set(key, entry);
      grow(entry, ENTRY_BYTES + 2 * key.length);
      void measure(key, entry);
      return entry.body;
    },
  };
}
