import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock";
import { MAX_CONCURRENT, createRequestLimits } from "./request-limits";

test("reads a request's signal only if the request must wait", async () => {
  const limits = createRequestLimits(createManualClock(0));
  let reads = 0;
  const given = {
    get signal() {
      reads += 1;
      return new AbortController().signal;
    },
  };

  const ends = Array.from({ length: MAX_CONCURRENT }, () => limits.take("a session", given));
  expect(reads).toBe(0);

  const waiting = limits.take("a session", given);
  expect(reads).toBe(1);
  const [end] = ends;
  if (typeof end === "function") end(200);
  await waiting;
});
