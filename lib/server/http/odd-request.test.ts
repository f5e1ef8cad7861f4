import { expect, test } from "vitest";
import { plainAddress } from "./odd-request.mjs";

test.each([
  ["/northgate/partners/A%2FB?at=%2e", "/northgate/partners/A%2FB?at=%2e"],
  ["/", "/"],
  ["/%E0%A4%A", "/%25E0%25A4%25A"],
  ["/api/v3/%?x=%", "/api/v3/%25?x=%"],
])("%s is taken as %s, so that it can be decoded", (url, expected) => {
  expect(plainAddress(url)).toBe(expected);
  expect(() => decodeURIComponent(plainAddress(url).split("?")[0] ?? "")).not.toThrow();
});

test.each([
  ["/api/v3/sync_status/?page=2", "/api/v3/sync_status?page=2"],
  ["/api/v3/", "/api/v3"],
  ["//api//v3///sync_status", "/api/v3/sync_status"],
  ["/northgate/", "/northgate/"],
])("%s is answered at %s, without a redirect", (url, expected) => {
  expect(plainAddress(url)).toBe(expected);
});
