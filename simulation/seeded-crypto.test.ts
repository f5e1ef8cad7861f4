import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createRandom } from "./random";
import { seedCrypto } from "./seeded-crypto";

/** What a process with this seed draws. */
function drawnWith(seed: number): [string, string] {
  const unseed = seedCrypto(createRandom(seed));
  try {
    return [randomUUID(), randomBytes(16).toString("hex")];
  } finally {
    unseed();
  }
}

test("ids and nonces follow from the seed", () => {
  expect(drawnWith(1)).toEqual(drawnWith(1));
  expect(drawnWith(2)).not.toEqual(drawnWith(1));
});

test("are random again afterwards", () => {
  const [id] = drawnWith(1);
  expect(randomUUID()).not.toBe(id);
  expect(randomBytes(4)).toHaveLength(4);
  expect(randomUUID()).not.toBe(randomUUID());
});
