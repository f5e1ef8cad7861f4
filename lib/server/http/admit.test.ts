import { expect, test } from "vitest";
import { createHostCheck, plainAddress } from "./admit.mjs";

test.each([
  ["/northgate/partners/A%2FB?at=%2e", "/northgate/partners/A%2FB?at=%2e"],
  ["/", "/"],
  ["/%E0%A4%A", "/%25E0%25A4%25A"],
  ["/api/v3/%?x=%", "/api/v3/%25?x=%"],
])("takes %s as %s, so that it can be decoded", (url, expected) => {
  expect(plainAddress(url)).toBe(expected);
  expect(() => decodeURIComponent(plainAddress(url).split("?")[0] ?? "")).not.toThrow();
});

test.each([
  ["/api/v3/sync_status/?page=2", "/api/v3/sync_status?page=2"],
  ["/api/v3/", "/api/v3"],
  ["//api//v3///sync_status", "/api/v3/sync_status"],
  ["//evil.example/%2e%2e", "/evil.example/%2e%2e"],
  ["/northgate/", "/northgate/"],
])("answers %s at %s, without a redirect", (url, expected) => {
  expect(plainAddress(url)).toBe(expected);
});

const whose = createHostCheck(["status.example.com", undefined, "TV.example.com"]);

test.each([
  "status.example.com",
  "Status.Example.Com:8443",
  "status.example.com.",
  "tv.example.com",
  "localhost:3000",
  "localhost:65535",
  "app.localhost",
  "127.0.0.1:3000",
  "192.168.1.5",
  "[::1]:3000",
  "[2001:db8::1]",
])("accepts a request for %s", (host) => expect(whose(host)).toBe("ours"));

test.each([
  "evil.example",
  "status.example.com.evil.example",
  "xstatus.example.com",
  "localhost.evil.example",
  "2130706433",
  "0x7f.1",
  "127.1",
])("refuses a request for %s", (host) => expect(whose(host)).toBe("foreign"));

test.each([
  undefined,
  "",
  "status.example.com@evil.example",
  "status.example.com/evil",
  "status.example.com evil",
  "[::1",
  "[::g]",
  "[localhost]",
  "localhost:port",
  "localhost:65536",
  "localhost:99999",
  "localhost:",
  "xn--.localhost",
])("refuses %s as malformed", (host) => expect(whose(host)).toBe("malformed"));
