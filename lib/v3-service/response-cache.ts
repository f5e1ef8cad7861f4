import { LRUCache } from "lru-cache";

/** A serialised body with the ETag of exactly these bytes. */
export type CachedBody = { body: Uint8Array<ArrayBuffer>; etag: string };

export type ResponseCache = {
  /** The body of `key`, built at most once per lifetime, even for concurrent requests. */
  get(key: string, build: () => Promise<CachedBody>): Promise<CachedBody>;
};

type Entry = { body: Promise<CachedBody>; builtAtMs: number };

/** Overhead of an entry besides its body. */
const ENTRY_BYTES = 512;

/**
 * Caches bodies for `lifetimeMs`, up to `maxBytes` in total; the least recently used is evicted first. Stores bytes
 * instead of rows, so that a hit needs no serialising.
 */
export function createResponseCache(options: {
  lifetimeMs: number;
  maxBytes: number;
  nowMs: () => number;
}): ResponseCache {
  const { lifetimeMs, maxBytes, nowMs } = options;
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes });

  /** Records the entry's actual size; a failure isn't cached, so the next request retries. */
  async function measure(key: string, entry: Entry, smallest: number): Promise<void> {
    let size = Infinity;
    try {
      size = smallest + (await entry.body).body.byteLength;
    } catch {
      // The callers get the error.
    }
    if (entries.peek(key) !== entry) return;
    // A new object, because setting the same value wouldn't update the size.
    if (size <= maxBytes) entries.set(key, { ...entry }, { size });
    else entries.delete(key);
  }

  return {
    get(key, build) {
      const known = entries.get(key);
      const ageMs = known === undefined ? -1 : nowMs() - known.builtAtMs;
      if (known !== undefined && ageMs >= 0 && ageMs < lifetimeMs) return known.body;
      const entry: Entry = { body: build(), builtAtMs: nowMs() };
      const size = ENTRY_BYTES + 2 * key.length;
      entries.set(key, entry, { size });
      void measure(key, entry, size);
      return entry.body;
    },
  };
}
