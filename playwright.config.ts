import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findTestBrowser } from "./scripts/browser.mjs";

const executablePath = findTestBrowser();

/**
 * Tries every case of something, waits for real processes, leases and hours, or goes through what is set up now and then:
 * the gate leaves it out, and CI doesn't.
 */
const LONG = "**/*.long.e2e.ts";
/**
 * Files that mostly wait: for processes, leases, undo times, an upstream that hangs. Two of them go beside two that
 * keep the machine busy; else all would wait at once, and later all want the machine at once.
 */
const WAITING = ["deletions", "wall", "activity"].map((name) => `**/${name}.e2e.ts`);
const LONG_WAITING = [
  "two-instances",
  "process",
  "restored",
  "upstream",
  "identity",
  "wall-unattended",
  "connections",
  "outage",
].map((name) => `**/${name}.long.e2e.ts`);

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "waiting", testMatch: WAITING, workers: 2 },
    { name: "busy", testMatch: "**/*.e2e.ts", testIgnore: [LONG, ...WAITING], workers: 3 },
    { name: "long-waiting", testMatch: LONG_WAITING, workers: 2 },
    { name: "long-busy", testMatch: LONG, testIgnore: LONG_WAITING, workers: 3 },
  ],
  globalSetup: "./e2e/demo.setup.ts",
  // Nothing is measured by these: they end what hangs, on a machine that has much else to do as well.
  timeout: 360_000,
  expect: { timeout: 20_000 },
  workers: 4,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // What passes only when retried is listed by the gate.
  retries: 1,
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    // Traces are recorded of every journey, be they kept or not, and cost: `npx playwright test --trace on` makes them.
    trace: "off",
    // Before the end of the test's own time, so that what hangs is named.
    actionTimeout: 45_000,
    navigationTimeout: 45_000,
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      // A page of a test lives for seconds: what optimizing its scripts costs never comes back.
      args: [...BROWSER_ARGS, "--js-flags=--no-turbofan --no-maglev"],
    },
  },
});
