import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The limits of `docs/architecture.md`. */
const MAX_FILES = 25;
const ROOTS = ["app", "bench", "components", "lib", "scripts", "simulation", "soak"];

/** Number of code files per folder, without tests and fixtures. */
function filesByFolder(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const root of ROOTS) {
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:tsx?|mjs)$/.test(file) || /(?:\.test|[-.]fixture)\.tsx?$/.test(file)) continue;
      if (file.includes(".next") || file.includes("migrations")) continue;
      const folder = path.join(root, path.dirname(file));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

test("no folder has more files than the limit", () => {
  const counts = filesByFolder();
  expect(counts.get("lib/server/runtime")).toBeGreaterThan(1);
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});
