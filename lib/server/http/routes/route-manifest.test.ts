import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readManifest, scanRoutes, writeManifest } from "./route-manifest.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "plumbline-routes-"));
  write(".next/BUILD_ID", "");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

test("contains each address below app with the methods that its file exports", () => {
  write("app/page.tsx", "export const POST = 1;");
  write("app/api/things/route.ts", "const PUT = 1;\nexport const GET = 1;\nexport const POST = 1;");
  write("app/(group)/things/[id]/route.ts", "export async function DELETE() {}");
  write("app/api/any/[...rest]/route.ts", "export {\n  answer as GET,\n  answer as PATCH,\n};\n");
  expect(scanRoutes(root)).toEqual({
    "/api/things": ["GET", "HEAD", "POST"],
    "/things/[id]": ["DELETE"],
    "/api/any/[...rest]": ["GET", "HEAD", "PATCH"],
  });
});

test("reads a build's own routes, and the current files in development", () => {
  write("app/a/route.ts", "export const GET = 1;");
  writeManifest(root);
  write("app/b/route.ts", "export const GET = 1;");
  expect(Object.keys(readManifest(root, false))).toEqual(["/a"]);
  expect(Object.keys(readManifest(root, true))).toEqual(["/a", "/b"]);
});
