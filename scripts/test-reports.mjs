import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./steps.mjs";

/** The gate fails if more tests than this pass only when retried. */
export const MAX_FLAKY = 3;

/**
 * Results of a runner. `failures` and `flaky` are texts of several lines: a test's name, then the reason.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], flaky: string[] }} Totals
 */

/** @typedef {{ name: string, status: string, results: any[] }} PlaywrightTest */

/**
 * @param {string} file vitest's JSON report
 * @param {string} flakyFile the output of `flaky-reporter.mjs`
 * @returns {Totals} zeros for a run that ended before its report
 */
export function readVitestReport(file, flakyFile) {
  const report = readJson(file);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures: (report?.testResults ?? []).flatMap(vitestFailures),
    flaky: (readJson(flakyFile) ?? []).map((/** @type {any} */ { file: testFile, name, reason }) =>
      entry(`${testFile} > ${name}`, reason),
    ),
  };
}

/**
 * @param {string} file Playwright's JSON report
 * @returns {Totals} zeros for a run that ended before its report
 */
export function readPlaywrightReport(file) {
  const report = readJson(file);
  /** @type {PlaywrightTest[]} */
  const tests = (report?.suites ?? []).flatMap(playwrightTests);
  const reason = (/** @type {any} */ result) => result?.error?.message;
  return {
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    failed: report?.stats.unexpected ?? 0,
    skipped: report?.stats.skipped ?? 0,
    failures: tests
      .filter(({ status }) => status === "unexpected")
      .map(({ name, results }) => entry(`FAILED ${name}`, reason(results.at(-1)))),
    flaky: tests
      .filter(({ status }) => status === "flaky")
      .map(({ name, results }) => entry(name, reason(results[0]))),
  };
}

/**
 * @param {readonly Totals[]} all
 * @returns {Totals}
 */
export function addTotals(all) {
  const sum = (/** @type {"passed" | "failed" | "skipped"} */ key) =>
    all.reduce((total, one) => total + one[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    failures: all.flatMap(({ failures }) => failures),
    flaky: all.flatMap(({ flaky }) => flaky),
  };
}

/**
 * @param {string} file
 * @returns {any} null if the run ended before writing it
 */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/**
 * @param {string} name
 * @param {string | undefined} why its first lines are shown
 */
function entry(name, why) {
  const lines = stripVTControlCharacters(why ?? "")
    .trim()
    .split("\n")
    .slice(0, 12);
  return [name, ...lines.map((line) => `    ${line}`)].join("\n");
}

/**
 * @param {any} testFile of vitest's report: one that couldn't be loaded has no tests, but a message
 * @returns {string[]}
 */
function vitestFailures({ name, status, message, assertionResults }) {
  if (status !== "failed") return [];
  const file = path.relative(root, name);
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status === "failed");
  if (failed.length === 0) return [entry(`FAILED ${file}`, message)];
  return failed.map((/** @type {any} */ { fullName, failureMessages }) =>
    entry(`FAILED ${file} > ${fullName}`, failureMessages[0]),
  );
}

/**
 * @param {any} suite of Playwright's report
 * @returns {PlaywrightTest[]}
 */
function playwrightTests({ file, specs = [], suites = [] }) {
  const own = specs.flatMap((/** @type {any} */ { title, tests }) =>
    tests.map((/** @type {any} */ test) => ({ ...test, name: `${file} > ${title}` })),
  );
  return [...own, ...suites.flatMap(playwrightTests)];
}
