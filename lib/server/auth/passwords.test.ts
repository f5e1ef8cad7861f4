import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { generatePassword, hashPassword, passwordMatches } from "./passwords";

test("hashes with Argon2id and a random salt", async () => {
  const [one, two] = await Promise.all([hashPassword("secret"), hashPassword("secret")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwordMatches(one, "secret")).toBe(true);
  expect(await passwordMatches(one, "Secret")).toBe(false);
});

test("matches in any Unicode normalization form, also against hashes of passwords that weren't normalized", async () => {
  const [composed, decomposed] = ["pass-phrasé-Ångström", "pass-phrasé-Ångström"].map((text, at) =>
    text.normalize(at === 0 ? "NFC" : "NFD"),
  ) as [string, string];
  expect(composed).not.toBe(decomposed);
  const [one, two] = await Promise.all([hashPassword(composed), hashPassword(decomposed)]);
  const old = await hash(decomposed, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  for (const kept of [one, two, old]) {
    expect(await passwordMatches(kept, composed)).toBe(true);
    expect(await passwordMatches(kept, decomposed)).toBe(true);
    expect(await passwordMatches(kept, "pass-phrase-Angstrom")).toBe(false);
  }
});

test("matches nothing without a hash", async () => {
  expect(await passwordMatches(null, "")).toBe(false);
  expect(await passwordMatches(null, "secret")).toBe(false);
});

test("generates readable and distinct passwords of at least 128 bits", () => {
  const passwords = Array.from({ length: 100 }, generatePassword);
  for (const password of passwords) expect(password).toMatch(/^[2-9b-df-hj-km-np-tv-xz]{28}$/);
  expect(new Set(passwords).size).toBe(100);
});
