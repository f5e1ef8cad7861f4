import { expect, test } from "vitest";
import { commonHeaders } from "./headers.mjs";

test("an answer is not sniffed, quoted to others, embedded or given devices", () => {
  expect(commonHeaders("http://localhost:3000")).toEqual({
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  });
});

test("over https browsers are told to stay there", () => {
  expect(commonHeaders("https://status.example.com")).toMatchObject({
    "strict-transport-security": "max-age=63072000",
  });
});
