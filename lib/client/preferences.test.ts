import { expect, test } from "vitest";
import { preferenceCookie } from "./preferences";

test.each([
  ["https:", "zone=Europe%2FOslo; Path=/; Max-Age=31536000; SameSite=Lax; Secure"],
  ["http:", "zone=Europe%2FOslo; Path=/; Max-Age=31536000; SameSite=Lax"],
])("a preference's cookie is Secure where browsers accept that: %s", (protocol, expected) => {
  expect(preferenceCookie("zone", "Europe/Oslo", protocol)).toBe(expected);
});
