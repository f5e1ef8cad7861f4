import { expect, test } from "vitest";
import { commonHeaders } from "./headers.mjs";

test("an answer is not sniffed, quoted to others, embedded or given devices", () => {
  expect(commonHeaders("http://localhost:3000", true)).toEqual({
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  });
});

test.each([
  [true, "max-age=63072000; includeSubDomains"],
  [false, "max-age=63072000"],
])("over https browsers are told to stay there, subdomains too: %s", (withSubdomains, expected) => {
  expect(commonHeaders("https://status.example.com", withSubdomains)).toMatchObject({
    "strict-transport-security": expected,
  });
});
