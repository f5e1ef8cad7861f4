import { expect, test } from "vitest";
import { completed, mapSteps, type Steps } from "@/lib/domain/steps";
import { inSlices } from "./slices";

function* spin(ms: number): Steps<string> {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) yield;
  return "done";
}

test("lets other work run between two slices, and returns the result", async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  expect(await inSlices(spin(60))).toBe("done");
  clearInterval(ticking);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test("rejects with what the computation throws", async () => {
  function* failing(): Steps<never> {
    yield;
    throw new Error("no");
  }
  await expect(inSlices(failing())).rejects.toThrow("no");
});

test("maps every item in order, in slices or at once", async () => {
  const double = () => mapSteps([1, 2, 3], (n) => n * 2);
  expect(await inSlices(double())).toEqual([2, 4, 6]);
  expect(completed(double())).toEqual([2, 4, 6]);
});
