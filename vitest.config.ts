import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Takes every case of something, or waits for real processes: the gate leaves it out, and CI doesn't. */
const LONG = "**/*.long.integration.test.ts";

/**
 * Real processes and sockets make a test fail once in a thousand runs; the gate lists what passed only when retried. A
 * property is never retried: its next run would try other values.
 */
export const RETRY = { count: 1, condition: /^(?!Property failed after)/ };

const alias = { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") };

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["{app,components,lib,scripts,simulation}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.integration.test.ts"],
          // Properties are tried a hundred times each, on a machine that may be busy.
          testTimeout: 30_000,
          // What is tested here keeps nothing between two calls, so all files can share a thread's modules.
          pool: "threads",
          isolate: false,
          maxWorkers: 2,
        },
      },
      withPostgres("integration", {
        include: ["{app,lib,scripts,simulation,e2e}/**/*.integration.test.ts"],
        exclude: [LONG],
      }),
      withPostgres("long", { include: [`{app,lib,scripts,simulation,e2e}/${LONG}`] }),
    ],
  },
});

/** @param name of the project */
function withPostgres(name: string, files: { include: string[]; exclude?: string[] }) {
  return {
    resolve: { alias },
    test: {
      name,
      ...files,
      globalSetup: [
        "./lib/server/store/test-database.setup.ts",
        "./lib/server/test-programs.setup.ts",
      ],
      // Nothing is measured by these: they end what hangs, on a machine that has much else to do as well.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      retry: RETRY,
      // Each file has a database of its own; modules are loaded once for all of a worker's files.
      isolate: false,
      maxWorkers: 3,
    },
  };
}
