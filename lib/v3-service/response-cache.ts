import { LRUCache } from "lru-cache";

/** A serialised body with the ETag of exactly these bytes. */
export type CachedBody = { body: Uint8Array<ArrayBuffer>; etag: string };

export type ResponseCache = {
  /** The body under `key`, built at most once per lifetime, also when many ask at the same time. */
  get(key: string, build: () => Promise<CachedBody>): Promise<CachedBody>;
};

type Entry = { body: Promise<CachedBody>; builtAtMs: number };

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
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes });

  /** Counts what it turned out to be; a failure is not an answer: the next request tries again. */
  async function measure(key: string, entry: Entry, smallest: number): Promise<void> {
    let size = Infinity;
    try {
      size = smallest + (await entry.body).body.byteLength;
    } catch {
      // Whoever asked is told.
    }
    if (entries.peek(key) !== entry) return;
    // The same value would keep the size that it had.
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
