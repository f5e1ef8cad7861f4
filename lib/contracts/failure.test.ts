import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { Failure, isFailure } from "./failure";

/** The class as loaded by another of Next's bundles: same source, different identity. */
async function failureOfAnotherBundle(): Promise<typeof Failure> {
  vi.resetModules();
  const { Failure: Other } = await import("./failure");
  return Other;
}

test("recognises a failure from another bundle", async () => {
  const Other = await failureOfAnotherBundle();
  const failure = new Other("not_found", "There is nothing at this address.");
  expect(failure).not.toBeInstanceOf(Failure);
  expect(isFailure(failure)).toBe(true);
  expect(isFailure(new Failure("conflict", "It is gone."))).toBe(true);
});

test.each([
  ["another error", new Error("Failure")],
  ["an error with a `code` property", Object.assign(new Error("x"), { code: "not_found" })],
  ["an unknown code", Object.assign(new Error("x"), { name: "Failure", code: "toString" })],
  ["an object of the same shape that isn't an error", { name: "Failure", code: "not_found" }],
  ["null", null],
])("rejects %s", (_, error) => {
  expect(isFailure(error)).toBe(false);
});

test("is never replaced by `instanceof` in app and lib", () => {
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
