import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { Failure, isFailure } from "./failure";

/** The class as another of Next's bundles has it: the same text, another class. */
async function failureOfAnotherBundle(): Promise<typeof Failure> {
  vi.resetModules();
  const { Failure: Other } = await import("./failure");
  return Other;
}

test("a failure of another bundle is a failure", async () => {
  const Other = await failureOfAnotherBundle();
  const failure = new Other("not_found", "There is nothing at this address.");
  expect(failure).not.toBeInstanceOf(Failure);
  expect(isFailure(failure)).toBe(true);
  expect(isFailure(new Failure("conflict", "It is gone."))).toBe(true);
});

test.each([
  ["another error", new Error("Failure")],
  ["an error with a code of its own", Object.assign(new Error("x"), { code: "not_found" })],
  [
    "a code that we do not know",
    Object.assign(new Error("x"), { name: "Failure", code: "toString" }),
  ],
  ["what only looks like one", { name: "Failure", code: "not_found" }],
  ["nothing", null],
])("%s is none", (_, error) => {
  expect(isFailure(error)).toBe(false);
});

test("nothing of ours is told by its class where bundles meet", () => {
  const files = ["app", "lib"].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => path.join(room, file)),
  );
  const asking = files.filter(
    (file) =>
      /(?<!\.test)\.tsx?$/.test(file) &&
      /instanceof (?:Upstream)?Failure\b/.test(readFileSync(file, "utf8")),
  );
  expect(asking).toEqual([]);
});
