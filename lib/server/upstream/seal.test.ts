import fc from "fast-check";
import { expect, test } from "vitest";
import { createSeal } from "./seal";

const CLIENT = { origin: "https://api.test", clientId: "one", clientSecret: "a secret" };
const SECRET = "an AUTH_SECRET of the test";

test("what was sealed opens, and shows nothing of itself", () => {
  const seal = createSeal(SECRET, CLIENT);
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (text) => {
      const sealed = seal.close(text);
      expect(seal.open(sealed)).toBe(text);
      expect(sealed).not.toContain(text);
      expect(seal.close(text)).not.toBe(sealed);
    }),
  );
});

test.each([
  ["another AUTH_SECRET", createSeal("another AUTH_SECRET", CLIENT)],
  ["another client", createSeal(SECRET, { ...CLIENT, clientId: "two" })],
  ["another host", createSeal(SECRET, { ...CLIENT, origin: "https://other.test" })],
  ["credentials that were changed", createSeal(SECRET, { ...CLIENT, clientSecret: "new" })],
])("it does not open under %s", (_, other) => {
  expect(other.open(createSeal(SECRET, CLIENT).close("a token"))).toBeNull();
});

test("what was tampered with, cut or never sealed does not open", () => {
  const seal = createSeal(SECRET, CLIENT);
  const sealed = seal.close("a token");
  const bytes = Buffer.from(sealed, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed.toString("base64url"))).toBeNull();
  }
  for (const nonsense of ["", "x", sealed.slice(0, 20), "a token"]) {
    expect(seal.open(nonsense)).toBeNull();
  }
});
