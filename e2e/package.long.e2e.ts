import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { pack } from "../scripts/pack.mjs";
import { connectedTo, signInByForm, startApp } from "./app";
import { startMisbehavingUpstream } from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

let scratch: string;
/** The unpacked archive. */
let folder: string;
/** A machine with only Node: no other program is in its PATH. */
let env: Record<string, string>;

test.beforeAll(async () => {
  // Packaging takes half a minute of CPU, and other tests run at the same time.
  scratch = mkdtempSync(path.join(os.tmpdir(), "plumbline-package-"));
  chmodSync(scratch, 0o755);
  const archive = await pack(scratch);
  const unpacked = spawnSync("tar", ["-xzf", archive, "-C", scratch], { encoding: "utf8" });
  expect(unpacked.stderr).toBe("");
  folder = archive.replace(/\.tar\.gz$/, "");
  const programs = path.join(scratch, "bin");
  mkdirSync(programs);
  symlinkSync(process.execPath, path.join(programs, "node"));
  // As root PostgreSQL runs in a user namespace, which every Linux supports.
  if (process.getuid?.() === 0) symlinkSync("/usr/bin/unshare", path.join(programs, "unshare"));
  env = { PATH: programs, HOME: "/nowhere" };
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("runs the archive with only Node, from any directory, without changing its files", async ({
  page,
}) => {
  const upstream = await startMisbehavingUpstream({ rows: sampleRows(3, Date.now()) });
  const dataDir = path.join(scratch, "data");
  const before = listing(folder);
  const app = await startApp(
    // As an operator starts it: without NODE_ENV.
    { ...env, NODE_ENV: "", ...connectedTo(upstream) },
    dataDir,
    folder,
  );
  await signInByForm(page, app);
  await expect(page.getByRole("heading", { name: "Main" })).toBeVisible();
  const verified = spawnSync(process.execPath, ["scripts/audit-verify.mjs"], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production", DATA_DIR: dataDir },
    encoding: "utf8",
  });
  expect(verified).toMatchObject({ status: 0, stderr: "" });
  expect(await app.end()).toBe(0);
  expect(listing(folder)).toEqual(before);
  await upstream.close();
});

test("starts every command of the archive under its project name", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const ours = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  for (const name of Object.keys(scripts)) expect(ours).toHaveProperty([name]);
  const clients = spawnSync(process.execPath, ["scripts/v3.mjs", "nonsense"], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production" },
    encoding: "utf8",
  });
  expect(clients.status).toBe(1);
  expect(clients.stderr).toMatch(/^Usage/i);
});

test("contains nothing for building or testing, and no path of the build folder", () => {
  const files = listing(folder);
  const unwanted =
    /(?:^|\/)\.git(?:\/|$)|\.map$|\.test\.|\.fixture\.|\.e2e\.|^(?:e2e|bench|soak|components)\/|\.env$|\.tsx?$/;
  expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  for (const library of ["typescript", "tailwindcss", "vitest", "esbuild", "tsx", "sharp"]) {
    expect(files.filter((file) => file.startsWith(`node_modules/${library}/`))).toEqual([]);
  }
  for (const place of ["package.json", ".next/required-server-files.json"]) {
    expect(readFileSync(path.join(folder, place), "utf8")).not.toContain(process.cwd());
  }
});

test("comes with its checksum, and a bill of materials that lists every package in it", () => {
  const archive = `${folder}.tar.gz`;
  const digest = createHash("sha256").update(readFileSync(archive)).digest("hex");
  // As `sha256sum --check` reads it.
  expect(readFileSync(`${archive}.sha256`, "utf8")).toBe(`${digest}  ${path.basename(archive)}\n`);
  const bill = JSON.parse(readFileSync(path.join(folder, "sbom.cdx.json"), "utf8"));
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "plumbline" } },
  });
  const packages = packagesIn(path.join(folder, "node_modules"));
  expect(packages.length).toBeGreaterThan(50);
  const listed = new Set(bill.components.map((one: { "bom-ref": string }) => one["bom-ref"]));
  expect(packages.filter((one) => !listed.has(one))).toEqual([]);
});

/** Every package in a folder of libraries, as `name@version`. */
function packagesIn(libraries: string): string[] {
  return listing(libraries)
    .filter((file) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => {
      const { name, version } = JSON.parse(readFileSync(path.join(libraries, file), "utf8"));
      return `${name}@${version}`;
    });
}

/** Every file below, sorted. */
function listing(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
}
