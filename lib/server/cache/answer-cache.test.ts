import { describe, expect, it } from "vitest";
import { Failure } from "@/lib/contracts/failure";
import { answerCache } from "./answer-cache";

const owner = {};

describe("a response cache", () => {
  it("computes a response once per version, for concurrent callers too", async () => {
    const cached = answerCache<number>("test 1", 10, 10);
    let made = 0;
    const ask = (turn: string) => cached(owner, "northgate", "a", turn, async () => (made += 1));
    expect(await Promise.all([ask("1"), ask("1"), ask("1")])).toEqual([1, 1, 1]);
    expect(await ask("2")).toBe(2);
    expect(await cached({}, "northgate", "a", "2", async () => 9)).toBe(9);
  });

  it("returns the previous response after a failure, and retries with the next version", async () => {
    const cached = answerCache<string>("test 2", 10, 10);
    const fail = () => Promise.reject(new Error("away"));
    await cached(owner, "northgate", "a", "1", async () => "first");
    expect(await cached(owner, "northgate", "a", "2", fail)).toBe("first");
    expect(await cached(owner, "northgate", "a", "3", async () => "third")).toBe("third");
  });

  it("passes a refusal on instead of the previous response", async () => {
    const cached = answerCache<string>("test 6", 10, 10);
    await cached(owner, "northgate", "a", "1", async () => "first");
    const refused = () => Promise.reject(new Failure("invalid_request", "too many rows"));
    await expect(cached(owner, "northgate", "a", "2", refused)).rejects.toThrow("too many rows");
  });

  it("retries immediately after a failure without a previous response", async () => {
    const cached = answerCache<string>("test 3", 10, 10);
    await expect(
      cached(owner, "northgate", "a", "1", () => Promise.reject(new Error("away"))),
    ).rejects.toThrow("away");
    expect(await cached(owner, "northgate", "a", "1", async () => "now")).toBe("now");
  });

  it("evicts responses beyond the maximum", async () => {
    const cached = answerCache<string>("test 4", 2, 2);
    for (const key of ["a", "b", "c"]) await cached(owner, "northgate", key, "1", async () => key);
    expect(await cached(owner, "northgate", "a", "1", async () => "anew")).toBe("anew");
    expect(await cached(owner, "northgate", "c", "1", async () => "anew")).toBe("c");
  });

  it("isn't evicted by many requests about another company", async () => {
    const cached = answerCache<string>("test 5", 10, 3);
    await cached(owner, "harbour", "a", "1", async () => "kept");
    for (let key = 0; key < 100; key += 1)
      await cached(owner, "northgate", String(key), "1", async () => "other");
    expect(await cached(owner, "harbour", "a", "1", async () => "made again")).toBe("kept");
  });
});
