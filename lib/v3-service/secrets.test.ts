import { expect, test } from "vitest";
import { generateSecret, hashSecret, UNKNOWN_CLIENT_HASH, verifySecret } from "./secrets";

test("matches a secret with its own hash only", async () => {
  const hash = await hashSecret("ünïcode secret");
  expect(await verifySecret("ünïcode secret", hash)).toBe(true);
  expect(await verifySecret("ünïcode secret ", hash)).toBe(false);
  expect(await verifySecret("", hash)).toBe(false);
});

test("never produces the same hash twice, and never contains the secret", async () => {
  const hashes = await Promise.all([hashSecret("secret"), hashSecret("secret")]);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(hashes[0]).not.toContain("secret");
});

test("has a dummy hash that costs the same and matches nothing", async () => {
  const hash = await hashSecret("secret");
  expect(UNKNOWN_CLIENT_HASH.split("$").slice(0, 4)).toEqual(hash.split("$").slice(0, 4));
  expect(UNKNOWN_CLIENT_HASH).toHaveLength(hash.length);
  expect(await verifySecret("", UNKNOWN_CLIENT_HASH)).toBe(false);
});

test("generates secrets of 256 bits that need no escaping in a form", () => {
  expect(generateSecret()).toMatch(/^[\w-]{43}$/);
  expect(generateSecret()).not.toBe(generateSecret());
});

test("throws for a malformed hash instead of reporting a mismatch", async () => {
  await expect(verifySecret("secret", "plain")).rejects.toThrow("form");
});
