import { expect, test, vi } from "vitest";
import { isUpstreamFailure, UpstreamFailure } from "./upstream";

test("recognises an upstream failure from another bundle, with its details", async () => {
  vi.resetModules();
  const { UpstreamFailure: Other } = await import("./upstream");
  const failure: unknown = new Other("rate_limited", "the upstream answered 429", {
    retryAtMs: 1_000,
  });
  expect(failure).not.toBeInstanceOf(UpstreamFailure);
  expect(isUpstreamFailure(failure) && [failure.reason, failure.retryAtMs]).toEqual([
    "rate_limited",
    1_000,
  ]);
  expect(isUpstreamFailure(new Error("the upstream answered 429"))).toBe(false);
  expect(isUpstreamFailure({ name: "UpstreamFailure", reason: "forbidden" })).toBe(false);
});
