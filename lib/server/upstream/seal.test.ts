import fc from "fast-check";
import { expect, test } from "vitest";
import { createSeal } from "./seal";

const CLIENT = { origin: "https://api.test", clientId: "one", clientSecret: "a secret" };
const SECRET = "an AUTH_SECRET of the test";

test("opens what it sealed, without revealing the text", () => {
  const seal = createSeal([SECRET], CLIENT);
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
  ["another AUTH_SECRET", createSeal(["another AUTH_SECRET"], CLIENT)],
  ["another client", createSeal([SECRET], { ...CLIENT, clientId: "two" })],
  ["another host", createSeal([SECRET], { ...CLIENT, origin: "https://other.test" })],
  ["credentials that were changed", createSeal([SECRET], { ...CLIENT, clientSecret: "new" })],
])("doesn't open under %s", (_, other) => {
  expect(other.open(createSeal([SECRET], CLIENT).close("a token"))).toBeNull();
});

test("doesn't open text that was modified, truncated or never sealed", () => {
  const seal = createSeal([SECRET], CLIENT);
  const sealed = seal.close("a token");
  const [version, id, text = ""] = sealed.split(".");
  const bytes = Buffer.from(text, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(`${version}.${id}.${changed.toString("base64url")}`)).toBeNull();
    expect(seal.open(changed.toString("base64url"))).toBeNull();
  }
  expect(seal.open(sealed.replace(/^1\.[0-9a-f]/, "1.x"))).toBeNull();
  for (const nonsense of ["", "x", sealed.slice(0, 20), "a token"]) {
    expect(seal.open(nonsense)).toBeNull();
  }
});

test("opens text sealed with a configured earlier AUTH_SECRET, and identifies its key", () => {
  const before = createSeal([SECRET], CLIENT);
  const after = createSeal(["a new AUTH_SECRET", SECRET], CLIENT);
  const sealed = before.close("a token");
  expect(after.open(sealed)).toBe("a token");
  expect(after.isCurrent(sealed)).toBe(false);
  const again = after.close("a token");
  expect(after.isCurrent(again)).toBe(true);
  const alone = createSeal(["a new AUTH_SECRET"], CLIENT);
  expect([alone.open(sealed), alone.open(again)]).toEqual([null, "a token"]);
});

test("opens text from before key ids with any known secret", () => {
  const sealed = "AAECAwQFBgcICQoLYK5qIK0Zzpr5x35HtQVodG7w3rBKaj4";
  const seal = createSeal(["another AUTH_SECRET", SECRET], CLIENT);
  expect(seal.open(sealed)).toBe("a token");
  expect(seal.isCurrent(sealed)).toBe(false);
});
