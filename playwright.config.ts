import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findTestBrowser } from "./scripts/browser.mjs";

const executablePath = findTestBrowser();

/**
 * Files that mostly wait: for processes, leases, undo times, an upstream that hangs. Two of them go beside two that
 * keep the machine busy; else all would wait at once, and later all want the machine at once.
 */
const WAITING = [
  "two-instances",
  "deletions",
  "wall",
  "process",
  "restored",
  "upstream",
  "activity",
  "identity",
  "wall-unattended",
  "connections",
].map((name) => `**/${name}.e2e.ts`);

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "waiting", testMatch: WAITING, workers: 2 },
    { name: "busy", testMatch: "**/*.e2e.ts", testIgnore: WAITING, workers: 3 },
  ],
  globalSetup: "./e2e/demo.setup.ts",
  // Nothing is measured by these: they end what hangs, on a machine that has much else to do as well.
  timeout: 360_000,
  expect: { timeout: 20_000 },
  workers: 4,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
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
