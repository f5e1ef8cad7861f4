import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import {
  reauthenticationCookie,
  authCookies,
  deviceCookie,
  displayCookies,
} from "@/lib/server/auth/cookies";
import { completeHead, LENGTH, trimForRoute } from "./routed-headers.mjs";

let server: Server | null = null;
afterEach(() => void server?.close());

const COMMON = { "x-content-type-options": "nosniff", "content-security-policy": "default-src" };

/** Requests a server with responses as Next makes them. */
async function ask(own: Readonly<Record<string, string>>, headers: HeadersInit = {}) {
  let received: string[] = [];
  server = createServer((request, response) => {
    trimForRoute(request);
    completeHead(response, COMMON);
    received = Object.keys(request.headers);
    // As Next sets them.
    for (const [name, value] of Object.entries(own)) response.setHeader(name, [value]);
    response.flushHeaders();
    response.end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { headers });
  return { answer: answer.headers, received };
}

test("adds the common headers that a response doesn't set", async () => {
  const { answer } = await ask({ "content-security-policy": "sandbox" });
  expect(answer.get("x-content-type-options")).toBe("nosniff");
  expect(answer.get("content-security-policy")).toBe("sandbox");
});

test("sends a route's length as Content-Length", async () => {
  const { answer } = await ask({ [LENGTH]: "2" });
  expect([answer.get("content-length"), answer.get(LENGTH)]).toEqual(["2", null]);
  expect(answer.get("vary")).toBe("Accept-Encoding");
});

test("sends a content type as a string, which the compression needs", async () => {
  let type: unknown;
  server = createServer((request, response) => {
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number) => {
      type = response.getHeader("content-type");
      return writeHead(status);
    };
    completeHead(response, COMMON);
    response.setHeader("content-type", ["application/json"]);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(type).toBe("application/json");
});

test("varies by what the route sets, not by what pages vary by", async () => {
  const nexts = "rsc, next-router-state-tree, next-router-prefetch";
  expect((await ask({ vary: `${nexts}, Cookie` })).answer.get("vary")).toBe("Cookie");
  expect((await ask({ vary: nexts })).answer.has("vary")).toBe(false);
});

test("removes the headers with which Next requests parts of pages", async () => {
  const { received } = await ask({}, { rsc: "1", "next-url": "/a", accept: "text/html" });
  expect(received).toContain("accept");
  expect(received.filter((name) => /rsc|next/.test(name))).toEqual([]);
});

test.each([
  [
    "a=1; next-auth.session-token=x; plumbline-display=y;;b",
    "next-auth.session-token=x; plumbline-display=y",
  ],
  [
    "__Host-next-auth.session-token=x;__Host-plumbline-pairing=y",
    "__Host-next-auth.session-token=x; __Host-plumbline-pairing=y",
  ],
  [";".repeat(15_000), undefined],
  ["other=1", undefined],
])("removes other sites' cookies", (given, left) => {
  const headers = { cookie: given };
  trimForRoute({ headers } as IncomingMessage);
  expect(headers.cookie).toBe(left);
});

test.each(["http://localhost:3000", "https://status.example.com"])(
  "keeps every cookie that is set under %s",
  (appUrl) => {
    const settable = [displayCookies(appUrl, false), displayCookies(appUrl, true)].flatMap(
      Object.values,
    );
    const cookies = [
      ...Object.values(authCookies(appUrl)),
      ...settable,
      deviceCookie(appUrl),
      reauthenticationCookie(appUrl),
    ];
    for (const { name } of cookies) {
      const headers = { cookie: `${name}=1` };
      trimForRoute({ headers } as IncomingMessage);
      expect(headers.cookie).toBe(`${name}=1`);
    }
  },
);

test("keeps a few cookies of thousands with names like ours, the first of each name", () => {
  const like = Array.from({ length: 800 }, (_, at) => `next-auth${at}=1; plumbline-${at}=1`);
  const same = Array.from({ length: 800 }, (_, at) => `plumbline-device=${at}`);
  const headers = { cookie: [...like, ...same].join("; ") };
  trimForRoute({ headers } as IncomingMessage);
  expect(headers.cookie).toBe("plumbline-device=0");
});
