import { describe, expect, it } from "vitest";
import { createCompanyCache } from "./company-cache";

describe("a cache by company", () => {
  it("keeps the values of other companies however many one company adds", () => {
    const cache = createCompanyCache<number>(10, 3);
    cache.set("harbour", "a", 1);
    for (let key = 0; key < 1_000; key += 1) cache.set("northgate", String(key), key);
    expect(cache.get("harbour", "a")).toBe(1);
    expect([996, 997, 998, 999].map((key) => cache.get("northgate", String(key)))).toEqual([
      undefined,
      997,
      998,
      999,
    ]);
  });

  it("evicts what a company used least recently", () => {
    const cache = createCompanyCache<number>(10, 2);
    cache.set("northgate", "a", 1);
    cache.set("northgate", "b", 2);
    expect(cache.get("northgate", "a")).toBe(1);
    cache.set("northgate", "c", 3);
    expect(cache.get("northgate", "b")).toBeUndefined();
    expect(cache.get("northgate", "a")).toBe(1);
  });

  it("is bounded over all companies", () => {
    const cache = createCompanyCache<number>(3, 2);
    for (const company of ["a", "b", "c", "d"]) cache.set(company, "key", 1);
    expect(["a", "b", "c", "d"].map((company) => cache.get(company, "key"))).toEqual([
      undefined,
      1,
      1,
      1,
    ]);
    cache.set("a", "key", 2);
    cache.set("a", "other", 3);
    expect([cache.get("a", "key"), cache.get("a", "other")]).toEqual([2, 3]);
  });

  it("replaces and deletes values", () => {
    const cache = createCompanyCache<number>(3, 1);
    cache.set("a", "key", 1);
    cache.set("a", "key", 2);
    expect(cache.get("a", "key")).toBe(2);
    cache.delete("a", "key");
    expect(cache.get("a", "key")).toBeUndefined();
    cache.set("a", "other", 3);
    expect(cache.get("a", "other")).toBe(3);
  });

  it("distinguishes companies and keys with any characters", () => {
    const cache = createCompanyCache<number>(10, 10);
    cache.set("a", "b c", 1);
    cache.set("a b", "c", 2);
    expect([cache.get("a", "b c"), cache.get("a b", "c")]).toEqual([1, 2]);
  });
});
