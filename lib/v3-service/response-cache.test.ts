import { expect, test } from "vitest";
import { createResponseCache } from "./response-cache";

function setUp(maxBytes = 1_000_000) {
  const clock = { ms: 0 };
  const cache = createResponseCache({ lifetimeMs: 60_000, maxBytes, nowMs: () => clock.ms });
  const builds: string[] = [];
  const get = (key: string, bytes = 10) =>
    cache.get(key, async () => {
      builds.push(key);
      return { body: new Uint8Array(bytes), etag: `"${builds.length}"` };
    });
  return { cache, clock, builds, get };
}

test("shares one build between concurrent requests, and its result with later ones for a minute", async () => {
  const { clock, builds, get } = setUp();
  const [first, second] = await Promise.all([get("a"), get("a")]);
  expect(second).toBe(first);
  clock.ms = 59_999;
  expect(await get("a")).toBe(first);
  clock.ms = 60_000;
  expect(await get("a")).not.toBe(first);
  expect(builds).toEqual(["a", "a"]);
});

test("doesn't extend a body's lifetime after the clock was set back", async () => {
  const { clock, builds, get } = setUp();
  clock.ms = 1_000_000;
  await get("a");
  clock.ms = 0;
  await get("a");
  expect(builds).toEqual(["a", "a"]);
});

test("passes a failed build to every waiting request, and doesn't cache it", async () => {
  const { cache, get } = setUp();
  const failing = () => cache.get("a", () => Promise.reject(new Error("no")));
  await expect(Promise.all([failing(), failing()])).rejects.toThrow("no");
  expect(await get("a")).toMatchObject({ etag: '"1"' });
});

test("evicts the least recently used bodies beyond its size", async () => {
  const { builds, get } = setUp(10_000);
  await get("a", 4_000);
  await get("b", 4_000);
  await get("a", 4_000);
  await get("c", 4_000);
  await get("a", 4_000);
  await get("b", 4_000);
  expect(builds).toEqual(["a", "b", "c", "b"]);
});

test("serves a body larger than the cache without caching it", async () => {
  const { builds, get } = setUp(10_000);
  expect((await get("a", 20_000)).body).toHaveLength(20_000);
  await get("a", 20_000);
  await get("b");
  await get("b");
  expect(builds).toEqual(["a", "a", "b"]);
});
