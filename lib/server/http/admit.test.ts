import { expect, test } from "vitest";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { admit, createHostCheck, plainAddress } from "./admit.mjs";

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

/** The status of a response to a raw request target; 200 when it is admitted. */
async function statusOf(target: string): Promise<number> {
  const server = createServer({ maxHeaderSize: 32_768 }, (request, response) => {
    if (
      admit(
        request,
        response,
        () => "ours",
        {},
        () => {},
      )
    )
      response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    let head = "";
    for await (const chunk of socket) head += String(chunk);
    return Number(head.split(" ")[1]);
  } finally {
    server.close();
  }
}

test.each([
  "/api/auth/../../signin/password/x",
  "/api/auth/..",
  "/api/./people",
  "/api/auth/%2e%2E/health/live",
  "/api/auth/.%2e/health/live",
  "/api/auth/x\\..\\..\\signin",
])("refuses the unresolved path %s", async (target) => expect(await statusOf(target)).toBe(400));

test.each(["a&", "a=&", "a=1&"])("refuses thousands of parameters %s", async (pair) => {
  expect(await statusOf(`/signin?${pair.repeat(3000)}`)).toBe(414);
});

test("refuses thousands of path segments", async () => {
  expect(await statusOf(`/api/auth/${"a/".repeat(5000)}`)).toBe(414);
});

test.each([
  "/northgate/partners/..%2F..?at=1",
  "/northgate/partners/.../x",
  `/northgate?open=${"A/B,".repeat(500)}`,
  `/?${"a=1&".repeat(90)}`,
])("admits %s", async (target) => expect(await statusOf(target)).toBe(200));
