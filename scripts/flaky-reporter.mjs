import { writeFileSync } from "node:fs";

/**
 * A vitest reporter that lists tests that failed and passed when retried, which vitest's JSON report doesn't show.
 * Writes `[{ file, name, reason }]` to `FLAKY_REPORT_FILE`; `reason` is the message of the first failure.
 */
export default class FlakyReporter {
  /** @param {readonly import("vitest/node").TestModule[]} modules */
  onTestRunEnd(modules) {
    const file = process.env["FLAKY_REPORT_FILE"];
    if (file === undefined) return;
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map((test) => ({
          file: module.relativeModuleId,
          name: test.fullName,
          reason: test.result().errors?.[0]?.message ?? "",
        })),
    );
    writeFileSync(file, JSON.stringify(flaky));
  }
}
