import fc from "fast-check";
import { expect, test } from "vitest";
import { isApiToken, newApiToken } from "./token-form";

test("has a prefix, thirty random characters and a checksum", () => {
  const tokens = Array.from({ length: 200 }, newApiToken);
  for (const token of tokens) {
    expect(token).toMatch(/^plb_[\dA-Za-z]{36}$/);
    expect(isApiToken(token)).toBe(true);
  }
  expect(new Set(tokens).size).toBe(tokens.length);
});

test.each([
  "plb_0000000000000000000000000000002C8GjS",
  "plb_abcdefghijklmnopqrstuvwxyzABCD4dNndU",
  "plb_xxxxxxxxxxxxxxxxxxxxxxxx004131000rKj",
])("computes the checksum as CRC32 in base 62, padded", (token) =>
  expect(isApiToken(token)).toBe(true),
);

test("rejects a token in which any character was changed", () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
  fc.assert(
    fc.property(fc.nat({ max: 35 }), fc.constantFrom(...alphabet), (at, character) => {
      const token = newApiToken();
      const changed = `${token.slice(0, 4 + at)}${character}${token.slice(5 + at)}`;
      expect(isApiToken(changed)).toBe(changed === token);
    }),
  );
});

test("rejects other texts", () => {
  fc.assert(fc.property(fc.string(), (text) => !isApiToken(text)));
  for (const text of ["", "plb_", `${newApiToken()}0`, ` ${newApiToken()}`, "plb_".repeat(4_000)]) {
    expect(isApiToken(text)).toBe(false);
  }
});
