import { describe, expect, test } from "vitest";
import { authCookies, parseCookies } from "./cookies";

describe("next-auth's cookies", () => {
  test("are all __Host- and Secure over HTTPS", () => {
    for (const { name, options } of Object.values(authCookies("https://sync.example.com"))) {
      expect(name).toMatch(/^__Host-/);
      expect(options).toMatchObject({ secure: true, httpOnly: true, sameSite: "lax", path: "/" });
    }
  });

  test("are neither __Host- nor Secure over HTTP, where browsers reject both", () => {
    for (const { name, options } of Object.values(authCookies("http://localhost:3000"))) {
      expect(name).not.toMatch(/^__/);
      expect(options.secure).toBe(false);
    }
  });
});

test("parses a Cookie header, decodes values and tolerates malformed input", () => {
  const cookies = parseCookies("a=1; b=x%7Cy; =z; c; a=2; d=%E0%A4%A; __proto__=p");
  expect(Object.fromEntries([...cookies].filter(([name]) => name !== "__proto__"))).toEqual({
    a: "1",
    b: "x|y",
    d: "%E0%A4%A",
  });
});
