import { expect, test } from "vitest";
import { generateSecret, hashSecret, NOBODYS_HASH, verifySecret } from "./secrets";

test("a secret matches its own hash and no other secret does", async () => {
  const hash = await hashSecret("ünïcode secret");
  expect(await verifySecret("ünïcode secret", hash)).toBe(true);
  expect(await verifySecret("ünïcode secret ", hash)).toBe(false);
  expect(await verifySecret("", hash)).toBe(false);
});

test("the same secret is never hashed to the same text twice, and is not in it", async () => {
  const hashes = await Promise.all([hashSecret("secret"), hashSecret("secret")]);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(hashes[0]).not.toContain("secret");
});

test("nobody's hash costs what every hash costs and matches nothing", async () => {
  const hash = await hashSecret("secret");
  expect(NOBODYS_HASH.split("$").slice(0, 4)).toEqual(hash.split("$").slice(0, 4));
  expect(NOBODYS_HASH).toHaveLength(hash.length);
  expect(await verifySecret("", NOBODYS_HASH)).toBe(false);
});

test("a generated secret has 256 bits and fits a form without escaping", () => {
  expect(generateSecret()).toMatch(/^[\w-]{43}$/);
  expect(generateSecret()).not.toBe(generateSecret());
});

test("a hash in another form is an error, not a mismatch", async () => {
  await expect(verifySecret("secret", "plain")).rejects.toThrow("form");
});
