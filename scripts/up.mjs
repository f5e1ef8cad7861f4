// `npm run up`: from a fresh clone to a running Plumbline. Installs and builds only what changed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { install, requireNode, root, run } from "./steps.mjs";

/** What a build is made of. */
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

requireNode();
if (!install()) process.exit(1);

const stamp = path.join(root, ".next/plumbline-build");
const wanted = fingerprint();
const built = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
if (built !== wanted) {
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  if (!run("npm", ["run", "build"], env)) process.exit(1);
  writeFileSync(stamp, wanted);
}

// In this very process: one fewer between a signal and the server.
Reflect.set(process.env, "NODE_ENV", "production");
process.chdir(root);
await import("../server.mjs");

/** Changes whenever a source file's content does. */
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
