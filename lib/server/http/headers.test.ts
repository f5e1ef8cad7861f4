import { expect, test } from "vitest";
import { commonHeaders, strictPolicy } from "./headers.mjs";

test("forbid sniffing, referrers, embedding and device access", () => {
  expect(commonHeaders("http://localhost:3000", true)).toEqual({
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  });
});

test.each([
  [true, "max-age=63072000; includeSubDomains"],
  [false, "max-age=63072000"],
])("set HSTS over https, with subdomains: %s", (withSubdomains, expected) => {
  expect(commonHeaders("https://status.example.com", withSubdomains)).toMatchObject({
    "strict-transport-security": expected,
  });
});

test("a policy with more allowances keeps the restrictions that have no fallback", () => {
  expect(strictPolicy("style-src 'self'; ", "'self'")).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  );
});
