import { LRUCache } from "lru-cache";

/** Values by company and key. */
export type CompanyCache<V> = {
  get(company: string, key: string): V | undefined;
  set(company: string, key: string, value: V): void;
  delete(company: string, key: string): void;
};

/**
 * An LRU cache in which no company can evict all values of others: beyond `mostOfEach` a company evicts its own.
 * @param most maximum over all companies
 * @param mostOfEach maximum per company
 */
export function createCompanyCache<V>(most: number, mostOfEach: number): CompanyCache<V> {
  type Entry = { company: string; value: V };
  /** Ids per company, least recently used first. */
  const idsOf = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    max: most,
    dispose({ company }, id) {
      const ids = idsOf.get(company);
      ids?.delete(id);
      if (ids?.size === 0) idsOf.delete(company);
    },
  });
  const idOf = (company: string, key: string) => JSON.stringify([company, key]);

  return {
    get(company, key) {
      const id = idOf(company, key);
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const ids = idsOf.get(company);
      ids?.delete(id);
      ids?.add(id);
      return entry.value;
    },
    set(company, key, value) {
      const id = idOf(company, key);
      entries.set(id, { company, value });
      const ids = idsOf.get(company) ?? new Set();
      idsOf.set(company, ids.add(id));
      const [oldest] = ids;
      if (ids.size > mostOfEach && oldest !== undefined) entries.delete(oldest);
    },
    delete(company, key) {
      entries.delete(idOf(company, key));
    },
  };
}
