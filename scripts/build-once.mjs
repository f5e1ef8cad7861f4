import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root, run } from "./steps.mjs";

/** Sources of a build. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "scripts/compress-build.mjs",
  "tailwind.config.ts",
  "tsconfig.json",
];

/**
 * Builds the app, unless the existing build is current.
 * @returns {boolean} whether there is a current build now
 */
export function buildOnce() {
  const stamp = path.join(root, ".next/plumbline-build");
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  if (!run("npm", ["run", "build"], env)) return false;
  writeFileSync(stamp, wanted);
  return true;
}

/** Changes with the content of any source file. */
function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  /** @param {string} entry */
  const add = (entry) => {
    const where = path.join(root, entry);
    if (!existsSync(where)) return;
    if (statSync(where).isDirectory()) {
      for (const name of readdirSync(where).toSorted()) add(path.join(entry, name));
    } else if (!/\.test\.tsx?$/.test(entry)) {
      hash.update(entry).update("\0").update(readFileSync(where)).update("\0");
    }
  };
  for (const entry of SOURCES) add(entry);
  return hash.digest("hex");
}
