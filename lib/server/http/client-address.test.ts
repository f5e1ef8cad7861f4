import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, trueHeaders } from "./client-address.mjs";

test("without a trusted proxy nobody can claim another address", () => {
  expect(clientAddress("::ffff:10.0.0.7", "1.2.3.4", 0)).toBe("10.0.0.7");
});

test.each([
  [1, "6.6.6.6, 1.2.3.4", "1.2.3.4"],
  [2, "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"],
  [3, "1.2.3.4", "1.2.3.4"],
])("with %i trusted proxies, %s is believed as %s", (proxies, forwarded, address) => {
  expect(clientAddress("10.0.0.1", forwarded, proxies)).toBe(address);
});

test("a trusted proxy that sends no header leaves the socket's address", () => {
  expect(clientAddress("10.0.0.1", undefined, 1)).toBe("10.0.0.1");
});

test("headers that are ours to set are dropped when a client sends them", () => {
  const request = {
    socket: { remoteAddress: "127.0.0.1" },
    headers: {
      "x-forwarded-host": "evil.example",
      "x-plumbline-client-address": "1.1.1.1",
      "x-nonce": "mine",
      "content-security-policy": "script-src *",
      accept: "text/html",
    },
  } as unknown as IncomingMessage;
  trueHeaders(request, 0);
  expect(request.headers).toEqual({
    accept: "text/html",
    "x-forwarded-for": "127.0.0.1",
    "x-plumbline-client-address": "127.0.0.1",
  });
});
