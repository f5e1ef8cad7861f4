// `npm run verify`: the gate. Installs what it needs (including a browser), runs all checks and ends with one line with
// the numbers of passed and failed tests. `npm run verify -- --long` continues with the tests that try every case or
// wait for real processes, leases and hours, as CI does. `npm run verify -- --node 24` runs the unit and integration
// tests on another Node, from npm's package `node`.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { findTestBrowser, HEADLESS_SHELL } from "./browser.mjs";
import { makeScratch } from "./scratch.mjs";
import { install, requireNode, root, run, runBeside } from "./steps.mjs";
import { addTotals, MAX_FLAKY, readPlaywrightReport, readVitestReport } from "./test-reports.mjs";

const { otherNode, isLong } = readOptions();
requireNode();
if (!install()) process.exit(1);
if (otherNode === null && (findTestBrowser() === null || process.env.CI)) installBrowser();
const browser = findTestBrowser();

/** Programs of installed npm packages. */
const TOOLS = path.join(root, "node_modules/.bin");
const scratch = makeScratch();
const reports = mkdtempSync(path.join(scratch, "reports-"));
/** @param {string} name */
const report = (name) => path.join(reports, `${name}.json`);
/** A local tool, run directly because npm takes a second to start. @param {readonly string[]} command */
const tool = (...command) => [path.join(TOOLS, command[0] ?? ""), ...command.slice(1)];
/** @param {readonly string[]} command run by the selected Node, as is every `node` that it starts */
const onOtherNode = (...command) => [
  "npm",
  "exec",
  "--yes",
  `--package=node@${otherNode}`,
  "--",
  "node",
  ...command,
];
/** @param {string} project */
const flakyReport = (project) => report(`${project}-flaky`);
/** @param {string} project @returns {[command: readonly string[], env: Record<string, string>]} the rest of a step */
const vitest = (project) => {
  const args = [
    "run",
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    "--reporter=./scripts/flaky-reporter.mjs",
    `--outputFile.json=${report(project)}`,
  ];
  const command =
    otherNode === null
      ? tool("vitest", ...args)
      : onOtherNode("node_modules/vitest/vitest.mjs", ...args);
  return [command, { FLAKY_REPORT_FILE: flakyReport(project) }];
};

/** @typedef {readonly [name: string, command: readonly string[], env?: Record<string, string>]} Step */

/**
 * Purely computational steps, two at a time: nothing in them waits with a timeout. The build rewrites the types of our
 * addresses, so `types` runs before it, and lint, which reads them too, after it.
 * @type {readonly (readonly (readonly Step[])[])[]}
 */
const BESIDE = [
  [
    [
      ["route types", tool("next", "typegen")],
      ["types", tool("tsc", "--noEmit")],
    ],
    [
      ["format", tool("oxfmt", "--check")],
      ["dead code", tool("knip")],
    ],
  ],
  [
    [["build", ["npm", "run", "build"], { NODE_ENV: "production" }]],
    [["unit tests", ...vitest("unit")]],
  ],
];
/** Steps that wait for servers, databases and browsers run alone. @type {readonly Step[]} */
const ALONE = [
  ["lint", tool("oxlint", "--type-aware", "--deny-warnings")],
  ["integration tests", ...vitest("integration")],
  ["browser tests", ...playwright("journeys", "waiting", "busy")],
];
/** Steps that CI runs too, alone for the same reason. @type {readonly Step[]} */
const LONG = [
  ["long integration tests", ...vitest("long")],
  ["long browser tests", ...playwright("long-journeys", "long-waiting", "long-busy")],
];

/** @type {string[]} */
const failedSteps = [];
/** Duration of each step, in order of completion. @type {string[]} */
const times = [];
const startedMs = performance.now();

/** @param {number} sinceMs by `performance.now()` */
const secondsSince = (sinceMs) => ((performance.now() - sinceMs) / 1000).toFixed(1);

/** @param {Step} step */
async function check([name, [program = "", ...args], env]) {
  const beganMs = performance.now();
  const { passed, output } = await runBeside(program, args, {
    NEXT_TELEMETRY_DISABLED: "1",
    TMPDIR: scratch,
    // As under npm: some tools start others by name.
    PATH: [TOOLS, process.env.PATH].join(path.delimiter),
    ...env,
  });
  const seconds = secondsSince(beganMs);
  times.push(`${seconds.padStart(7)} s  ${name}`);
  // Printed at the end, so that the output of two steps isn't mixed.
  process.stdout.write(`\n== ${name}\n${output}`);
  process.stdout.write(`== ${name}: ${passed ? "ok" : "FAILED"} (${seconds} s)\n`);
  if (!passed) failedSteps.push(name);
}

/** @param {readonly Step[]} steps run in sequence, whether or not one fails */
async function checkInTurn(steps) {
  for (const step of steps) await check(step);
}

if (otherNode === null) {
  for (const pair of BESIDE) await Promise.all(pair.map(checkInTurn));
  await checkInTurn(ALONE);
  if (isLong) {
    times.push(`${secondsSince(startedMs).padStart(7)} s  the gate`);
    await checkInTurn(LONG);
  }
} else {
  await checkInTurn([
    [`Node ${otherNode}`, onOtherNode("--version")],
    ["unit tests", ...vitest("unit")],
    ["integration tests", ...vitest("integration")],
    ["long integration tests", ...vitest("long")],
  ]);
}

const totals = addTotals([
  ...["unit", "integration", "long"].map((name) =>
    readVitestReport(report(name), flakyReport(name)),
  ),
  ...["journeys", "long-journeys"].map((name) => readPlaywrightReport(report(name))),
]);
if (totals.flaky.length > MAX_FLAKY) failedSteps.push(`more than ${MAX_FLAKY} flaky tests`);
rmSync(scratch, { recursive: true, force: true });

process.stdout.write(
  `\nFormat and dead code run beside types, the unit tests beside the build.\n${times.join("\n")}\n`,
);
process.stdout.write(`${secondsSince(startedMs).padStart(7)} s  in all\n`);
// Repeated at the end of the log.
if (totals.failures.length > 0) process.stdout.write(`\n${totals.failures.join("\n")}\n`);
process.stdout.write(
  failedSteps.length === 0 ? "\nEvery step is green.\n" : `\nFailed: ${failedSteps.join(", ")}\n`,
);
if (totals.flaky.length > 0)
  process.stdout.write(`${totals.flaky.length} flaky:\n${totals.flaky.join("\n")}\n`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exit(failedSteps.length === 0 ? 0 : 1);

/**
 * Playwright's projects, as the rest of a step.
 * @param {string} name of the report
 * @param {readonly string[]} projects
 * @returns {[command: readonly string[], env: Record<string, string>]}
 */
function playwright(name, ...projects) {
  const named = projects.map((project) => `--project=${project}`);
  return [
    tool("playwright", "test", "--reporter=list,json", ...named),
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report(name), ...(browser && { CHROMIUM_PATH: browser }) },
  ];
}

/** @returns {{ otherNode: string | null, isLong: boolean }} `otherNode`: Node version for the tests, such as "24" */
function readOptions() {
  const { values } = parseArgs({
    options: { node: { type: "string" }, long: { type: "boolean" } },
  });
  if (values.node === undefined || /^\d+(?:\.\d+){0,2}$/.test(values.node))
    return { otherNode: values.node ?? null, isLong: values.long ?? false };
  process.stderr.write("--node takes a version of Node, such as 24 or 22.12.0.\n");
  process.exit(1);
}

/** Installs the fastest test browser with apt-get where possible, otherwise Playwright's own if there is none. */
function installBrowser() {
  if (existsSync(HEADLESS_SHELL) || process.env.CHROMIUM_PATH) return;
  process.stdout.write("== installing a browser for the tests\n");
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const add = ["install", "-y", "--no-install-recommends"];
    run("apt-get", ["update"]);
    if (run("apt-get", [...add, "chromium-headless-shell"])) return;
    if (findTestBrowser() === null) run("apt-get", [...add, "chromium"]);
  } else if (findTestBrowser() === null) {
    run("npx", ["--no-install", "playwright", "install", "chromium"]);
  }
}
