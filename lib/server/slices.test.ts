import { expect, test } from "vitest";
import { completed, mapSteps, type Steps } from "@/lib/domain/steps";
import { inSlices } from "./slices";

test("lets other work run between two slices, and returns the result", async () => {
  let elapsedMs = 0;
  let slices = 0;
  function* counting(): Steps<string> {
    for (let step = 0; step < 100; step += 1) {
      elapsedMs += 1;
      yield;
    }
    return "done";
  }
  let isOver = false;
  const other = () => {
    slices += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  expect(await inSlices(counting(), () => elapsedMs)).toBe("done");
  isOver = true;
  expect(slices).toBe(10);
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
