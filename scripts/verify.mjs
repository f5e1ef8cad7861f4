// `npm run verify`: the one gate. Installs what it needs (a browser too), then checks everything and
// ends with one line that says how many tests passed and failed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { findBrowser } from "./browser.mjs";
import { makeScratch } from "./scratch.mjs";
import { install, requireNode, run } from "./steps.mjs";

requireNode();
if (!install()) process.exit(1);
const browser = findBrowser() ?? installBrowser();

const scratch = makeScratch();
const reports = mkdtempSync(path.join(scratch, "reports-"));
/** @param {string} name */
const report = (name) => path.join(reports, `${name}.json`);
/** A tool of ours, by npm. @param {readonly string[]} command */
const tool = (...command) => ["exec", "--no", "--", ...command];
/** @param {string} project */
const vitest = (project) =>
  tool(
    "vitest",
    "run",
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report(project)}`,
  );

/** @type {readonly [string, readonly string[], Record<string, string>?][]} */
const STEPS = [
  ["format", tool("oxfmt", "--check")],
  ["lint", tool("oxlint", "--type-aware", "--deny-warnings")],
  ["route types", tool("next", "typegen")],
  ["types", tool("tsc", "--noEmit")],
  ["dead code", tool("knip")],
  ["unit tests", vitest("unit")],
  ["integration tests", vitest("integration")],
  ["build", ["run", "build"], { NODE_ENV: "production" }],
  [
    "browser tests",
    tool("playwright", "test", "--reporter=list,json"),
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report("e2e"), ...(browser && { CHROMIUM_PATH: browser }) },
  ],
];

/** @type {string[]} */
const failedSteps = [];
for (const [name, args, env] of STEPS) {
  process.stdout.write(`\n== ${name}\n`);
  const startedMs = performance.now();
  const passed = run("npm", args, { NEXT_TELEMETRY_DISABLED: "1", TMPDIR: scratch, ...env });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`== ${name}: ${passed ? "ok" : "FAILED"} (${seconds} s)\n`);
  if (!passed) failedSteps.push(name);
}

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const project of ["unit", "integration"]) {
  const counted = read(report(project));
  totals.passed += counted?.numPassedTests ?? 0;
  totals.failed += counted?.numFailedTests ?? 0;
  totals.skipped += (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
}
const journeys = read(report("e2e"))?.stats;
totals.passed += (journeys?.expected ?? 0) + (journeys?.flaky ?? 0);
totals.failed += journeys?.unexpected ?? 0;
totals.skipped += journeys?.skipped ?? 0;
rmSync(scratch, { recursive: true, force: true });

process.stdout.write(
  failedSteps.length === 0 ? "\nEvery step is green.\n" : `\nFailed: ${failedSteps.join(", ")}\n`,
);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exit(failedSteps.length === 0 ? 0 : 1);

/**
 * @param {string} file
 * @returns {any} null when the step did not get as far as writing it
 */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function installBrowser() {
  process.stdout.write("== no browser found: installing one\n");
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    run("apt-get", ["update"]);
    run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  } else {
    run("npx", ["--no-install", "playwright", "install", "chromium"]);
  }
  return findBrowser();
}
