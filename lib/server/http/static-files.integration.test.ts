import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readStaticFiles } from "./static-files.mjs";

const SCRIPT = "console.log('plumb');".repeat(100);
let build: string;
let server: Server;
let origin: string;

beforeEach(async () => {
  build = await mkdtemp(path.join(os.tmpdir(), "plumbline-build-"));
  await mkdir(path.join(build, "static/chunks"), { recursive: true });
  const br = brotliCompressSync(SCRIPT);
  await writeFile(path.join(build, "static/chunks/[id].js.br"), br);
  await writeFile(path.join(build, "static/chunks/plain.js"), SCRIPT);
  await writeFile(path.join(build, "secret.js.br"), br);
  const answer = await readStaticFiles(build);
  server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(404).end("next");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.close();
  await rm(build, { recursive: true });
});

const get = (address: string, encoding = "br") =>
  fetch(`${origin}${address}`, { headers: { "accept-encoding": encoding } });

test("a script is sent compressed, to be kept for good", async () => {
  const answer = await get("/_next/static/chunks/%5Bid%5D.js");
  expect(answer.headers.get("content-encoding")).toBe("br");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(await answer.text()).toBe(SCRIPT);
});

test.each([
  ["/_next/static/chunks/%5Bid%5D.js", "gzip"],
  ["/_next/static/chunks/plain.js", "br"],
  ["/_next/static/%2E%2E/secret.js", "br"],
  ["/_next/static/chunks/missing.js", "br"],
])("%s for somebody who takes %s is left to Next", async (address, encoding) => {
  expect(await (await get(address, encoding)).text()).toBe("next");
});

test("a build that is not there leaves everything to Next", async () => {
  const answer = await readStaticFiles(path.join(build, "none"));
  expect(answer({ method: "GET", url: "/_next/static/x.js" } as never, {} as never)).toBe(false);
});
