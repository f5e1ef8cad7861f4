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
  await mkdir(path.join(build, ".next/static/chunks"), { recursive: true });
  const br = brotliCompressSync(SCRIPT);
  await writeFile(path.join(build, ".next/static/chunks/[id].js.br"), br);
  await writeFile(path.join(build, ".next/static/chunks/[id].js"), SCRIPT);
  await writeFile(path.join(build, ".next/static/chunks/plain.js"), SCRIPT);
  await writeFile(path.join(build, ".next/secret.js"), SCRIPT);
  await mkdir(path.join(build, "public"));
  await writeFile(path.join(build, "public/robots.txt"), "User-agent: *");
  const answer = await readStaticFiles(build);
  server = createServer((request, response) => {
    if (!answer(request, response, request.url?.split("?")[0] ?? ""))
      response.writeHead(404).end("nothing");
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

test("sends a script compressed and immutable", async () => {
  const answer = await get("/_next/static/chunks/%5Bid%5D.js");
  expect(answer.headers.get("content-encoding")).toBe("br");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(await answer.text()).toBe(SCRIPT);
});

test.each([
  ["/_next/static/chunks/%5Bid%5D.js", "gzip"],
  ["/_next/static/chunks/%5Bid%5D.js", "br;q=0"],
  ["/_next/static/chunks/plain.js", "br"],
])("sends %s uncompressed for a client that accepts %s", async (address, encoding) => {
  const answer = await get(address, encoding);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toBe(SCRIPT);
});

test("revalidates a file of the public folder, with 304 when unchanged", async () => {
  const answer = await get("/robots.txt?x=1");
  expect(await answer.text()).toBe("User-agent: *");
  expect(answer.headers.get("cache-control")).toBe("public, no-cache");
  const etag = answer.headers.get("etag") ?? "";
  const again = await fetch(`${origin}/robots.txt`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
});

test.each([
  "/_next/static/%2E%2E/secret.js",
  "/_next/static/chunks/missing.js",
  "/secret.js",
  "/public/robots.txt",
])("returns nothing for %s", async (address) => {
  expect((await get(address)).status).toBe(404);
});

test("serves no files without a build", async () => {
  const answer = await readStaticFiles(path.join(build, "none"));
  const request = { method: "GET", headers: {} } as never;
  expect(answer(request, {} as never, "/_next/static/x.js")).toBe(false);
});
