import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What `docs/architecture.md` says of folders. */
const MOST_FILES = 25;
const ROOMS = ["app", "bench", "components", "lib", "scripts", "soak"];

/** Of every folder how many files of code stand in it, without tests and what only tests use. */
function filesByFolder(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const room of ROOMS) {
    for (const file of readdirSync(room, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:tsx?|mjs)$/.test(file) || /(?:\.test|[-.]fixture)\.tsx?$/.test(file)) continue;
      if (file.includes(".next") || file.includes("migrations")) continue;
      const folder = path.join(room, path.dirname(file));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

test("no flat folder holds more files than somebody can look through", () => {
  const counts = filesByFolder();
  expect(counts.get("lib/server/runtime")).toBeGreaterThan(1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});
