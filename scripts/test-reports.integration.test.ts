import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./steps.mjs";
import { addTotals, readPlaywrightReport, readVitestReport } from "./test-reports.mjs";

const TESTS = `
import fc from "${path.join(root, "node_modules/fast-check/lib/fast-check.js")}";
import { expect, test } from "${path.join(root, "node_modules/vitest/dist/index.js")}";
let runs = 0;
let tried = 0;
test("passes", () => {});
test("passes when retried", () => expect(++runs, "first failure").toBe(2));
test("never passes", () => expect(1).toBe(2));
test("is a property", () => {
  tried += 1;
  fc.assert(fc.property(fc.nat(), () => tried > 1));
});
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reports-"));
});
afterAll(() => rm(folder, { recursive: true }));
const file = (name: string) => path.join(folder, name);

/** Vitest's report of `TESTS`, with the retries of the integration tests. */
async function runVitest() {
  await writeFile(file("sample.test.ts"), TESTS);
  await writeFile(
    file("vitest.config.ts"),
    `import { RETRY } from "${path.join(root, "vitest.config.ts")}";
     export default { test: { include: ["sample.test.ts"], retry: RETRY } };`,
  );
  const args = ["run", "--root", folder, "--reporter=json", `--outputFile=${file("report.json")}`];
  const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
  const reporter = `--reporter=${path.join(root, "scripts/flaky-reporter.mjs")}`;
  await promisify(execFile)(process.execPath, [vitest, ...args, reporter], {
    cwd: folder,
    env: { ...process.env, FLAKY_REPORT_FILE: file("flaky.json") },
  }).catch(() => {});
  return readVitestReport(file("report.json"), file("flaky.json"));
}

test("lists a test that passes only when retried with its first failure, and doesn't retry a property", async () => {
  const totals = await runVitest();
  expect(totals).toMatchObject({ passed: 2, failed: 2, skipped: 0 });
  expect(totals.flaky).toEqual([
    expect.stringMatching(/^sample\.test\.ts > passes when retried\n/),
  ]);
  expect(totals.flaky[0]).toContain("first failure");
  expect(totals.failures).toEqual([
    expect.stringMatching(/never passes/),
    expect.stringMatching(/is a property[^]*seed: -?\d+/),
  ]);
});

test("counts flaky browser tests as passed, and lists them", async () => {
  const outcome = (status: string, ...messages: readonly string[]) => ({
    status,
    results: messages.map((message) => ({ error: { message } })),
  });
  const specs = [
    { title: "passes", tests: [outcome("expected")] },
    { title: "is slow at times", tests: [outcome("flaky", "timed out", "")] },
    { title: "fails", tests: [outcome("unexpected", "first", "second")] },
  ];
  const report = {
    stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 0 },
    suites: [{ file: "board.e2e.ts", suites: [{ file: "board.e2e.ts", specs }] }],
  };
  await writeFile(file("journeys.json"), JSON.stringify(report));
  const ended = readPlaywrightReport(file("never-written.json"));
  expect(addTotals([readPlaywrightReport(file("journeys.json")), ended])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: ["FAILED board.e2e.ts > fails\n    second"],
    flaky: ["board.e2e.ts > is slow at times\n    timed out"],
  });
});
