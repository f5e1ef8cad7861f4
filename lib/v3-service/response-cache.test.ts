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

test("many who ask at once share one build, and later ones its result for a minute", async () => {
  const { clock, builds, get } = setUp();
  const [first, second] = await Promise.all([get("a"), get("a")]);
  expect(second).toBe(first);
  clock.ms = 59_999;
  expect(await get("a")).toBe(first);
  clock.ms = 60_000;
  expect(await get("a")).not.toBe(first);
  expect(builds).toEqual(["a", "a"]);
});

test("a clock that is set back does not keep a body for longer", async () => {
  const { clock, builds, get } = setUp();
  clock.ms = 1_000_000;
  await get("a");
  clock.ms = 0;
  await get("a");
  expect(builds).toEqual(["a", "a"]);
});

test("a failed build is told to everyone who waited, and not kept", async () => {
  const { cache, get } = setUp();
  const failing = () => cache.get("a", () => Promise.reject(new Error("no")));
  await expect(Promise.all([failing(), failing()])).rejects.toThrow("no");
  expect(await get("a")).toMatchObject({ etag: '"1"' });
});

test("beyond its bytes it drops what was used longest ago", async () => {
  const { builds, get } = setUp(10_000);
  await get("a", 4_000);
  await get("b", 4_000);
  await get("a", 4_000);
  await get("c", 4_000);
  await get("a", 4_000);
  await get("b", 4_000);
  expect(builds).toEqual(["a", "b", "c", "b"]);
});

test("a body larger than the cache is served and not kept", async () => {
  const { builds, get } = setUp(10_000);
  expect((await get("a", 20_000)).body).toHaveLength(20_000);
  await get("a", 20_000);
  await get("b");
  await get("b");
  expect(builds).toEqual(["a", "a", "b"]);
});
