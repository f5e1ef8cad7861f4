import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import {
  addressName,
  clientAddress,
  networkName,
  proxiedHostOf,
  trueHeaders,
} from "./client-address.mjs";

test("ignores claimed addresses without a trusted proxy", () => {
  expect(clientAddress("::ffff:10.0.0.7", "1.2.3.4", 0)).toBe("10.0.0.7");
});

test.each([
  [1, "6.6.6.6, 1.2.3.4", "1.2.3.4"],
  [2, "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"],
  [3, "1.2.3.4", "1.2.3.4"],
])("with %i trusted proxies, takes %s as %s", (proxies, forwarded, address) => {
  expect(clientAddress("10.0.0.1", forwarded, proxies)).toBe(address);
});

test("uses the socket's address when a trusted proxy sends no header", () => {
  expect(clientAddress("10.0.0.1", undefined, 1)).toBe("10.0.0.1");
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:52100", "192.0.2.7"],
  [" 192.0.2.7 ", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["[::ffff:192.0.2.7]:443", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::1", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]:8443", "2001:db8:1:2::/64"],
  ['"[2001:db8:1:2::9]:8443"', "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "::1"],
  ["[::1]:3000", "::1"],
  ["::", "0:0:0:0::/64"],
])("names %s as client %s", (text, name) => expect(addressName(text)).toBe(name));

test.each(["", "unknown", "_hidden", "999.1.1.1", "1.2.3.4:", "1.2.3", "[nonsense]", "a\nb"])(
  "rejects the address %j",
  (text) => expect(addressName(text)).toBeNull(),
);

test("uses the socket's address when a proxy forwards an invalid one", () => {
  expect(clientAddress("10.0.0.1", "evil\r\n, unknown", 1)).toBe("10.0.0.1");
});

test("treats every port of an address, and every address of an IPv6 network, as one client", () => {
  const names = Array.from({ length: 500 }, (_, at) => [
    clientAddress("10.0.0.1", `198.51.100.7:${1024 + at}`, 1),
    clientAddress("10.0.0.1", `[2001:db8::${at.toString(16)}]:${1024 + at}`, 1),
  ]).flat();
  expect(new Set(names).size).toBe(2);
});

test("drops a client's values of our own headers", () => {
  const request = {
    socket: { remoteAddress: "127.0.0.1" },
    headers: {
      "x-forwarded-host": "evil.example",
      "x-plumbline-client-address": "1.1.1.1",
      "x-nonce": "mine",
      "content-security-policy": "script-src *",
      "x-middleware-subrequest": "proxy",
      "x-nextjs-data": "1",
      "next-action": "abc",
      host: "localhost:3000",
      rsc: "1",
      accept: "text/html",
    },
  } as unknown as IncomingMessage;
  trueHeaders(request, 0);
  expect(request.headers).toEqual({
    accept: "text/html",
    host: "localhost:3000",
    rsc: "1",
    "x-forwarded-for": "127.0.0.1",
    "x-plumbline-client-address": "127.0.0.1",
    "x-plumbline-origin": "http://localhost:3000",
    "x-plumbline-forwarded": "1",
  });
});

test.each([
  [0, "https", "http://status.example.com"],
  [1, "https", "https://status.example.com"],
  [1, "https, http", "http://status.example.com"],
  [1, "gopher", "http://status.example.com"],
])("behind %i proxies that send %s, reports our origin as %s", (proxies, scheme, origin) => {
  const request = {
    socket: { remoteAddress: "127.0.0.1" },
    headers: {
      host: "status.example.com",
      "x-forwarded-proto": scheme,
      "x-forwarded-for": "1.2.3.4",
    },
  } as unknown as IncomingMessage;
  expect(trueHeaders(request, proxies)).toEqual({
    address: proxies === 0 ? "127.0.0.1" : "1.2.3.4",
    proxyFault: proxies === 0 ? "unasked" : null,
  });
  expect(request.headers["x-plumbline-origin"]).toBe(origin);
});

test.each([
  [0, "status.example.com", "unasked"],
  [0, "Status.example.com:8443", "unasked"],
  [1, "status.example.com", "unnamed"],
  [1, "localhost:3000", null],
  [0, "127.0.0.1:3000", null],
])(
  "behind %i proxies, a request for %s without a forwarding header is %s",
  (proxies, host, fault) => {
    const headers: Record<string, string> = { host };
    const request = {
      socket: { remoteAddress: "127.0.0.1" },
      headers,
    } as unknown as IncomingMessage;
    expect(trueHeaders(request, proxies, "status.example.com").proxyFault).toBe(fault);
    expect(headers["x-plumbline-forwarded"]).toBe(fault === null ? undefined : "1");
  },
);

test.each([
  ["https://Status.example.com:8443", "status.example.com"],
  ["http://status.example.com", null],
  ["https://localhost:3000", null],
  ["https://127.0.0.1", null],
])("only a proxy requests the host of %s: %s", (appUrl, host) => {
  expect(proxiedHostOf(appUrl)).toBe(host);
});

test("marks a request as forwarded that names only its scheme", () => {
  const headers: Record<string, string> = { host: "localhost", "x-forwarded-proto": "https" };
  trueHeaders({ socket: { remoteAddress: "127.0.0.1" }, headers } as unknown as IncomingMessage, 0);
  expect(headers["x-plumbline-forwarded"]).toBe("1");
});

test("marks a request as forwarded if a trusted proxy's header says nothing of the client", () => {
  const headers: Record<string, string> = { host: "localhost", "x-forwarded-for": "a]]a" };
  trueHeaders({ socket: { remoteAddress: "127.0.0.1" }, headers } as unknown as IncomingMessage, 1);
  expect(headers["x-plumbline-client-address"]).toBe("127.0.0.1");
  expect(headers["x-plumbline-forwarded"]).toBe("1");
});

test.each([
  ["accept-encoding", 200],
  ["user-agent", 1_000],
  ["if-none-match", 1_000],
  ["authorization", 4_000],
])("reads %s no further than %i characters", (name, longest) => {
  const headers: Record<string, string> = { host: "localhost", [name]: "a".repeat(15_000) };
  trueHeaders({ socket: {}, headers } as unknown as IncomingMessage, 0);
  expect(headers[name]).toHaveLength(longest);
});

test("reads the end of a long forwarding list, which the proxies wrote", () => {
  const list = `${"9.9.9.9,".repeat(2_000)}1.2.3.4`;
  expect(clientAddress("127.0.0.1", list, 1)).toBe("1.2.3.4");
});

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.200", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8:1:ffff::", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["::1", "::1"],
])("%s is in the network %s", (address, network) => {
  expect(networkName(addressName(address) ?? "")).toBe(network);
});

test("a client whose socket is gone is in a network of its own kind", () => {
  expect(networkName("unknown")).toBe("unknown");
});
