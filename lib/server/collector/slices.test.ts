import { expect, test } from "vitest";
import { eachInSlices, inSlices, withoutPauses, type Sliced } from "./slices";

function* sum(count: number): Sliced<number> {
  let total = 0;
  yield* eachInSlices(
    Array.from({ length: count }, (_, at) => at),
    (at) => (total += at),
  );
  return total;
}

test("computes the same with and without pauses", async () => {
  for (const count of [1, 200, 201, 1_000]) {
    const expected = (count * (count - 1)) / 2;
    expect(withoutPauses(sum(count))).toBe(expected);
    expect(await inSlices(sum(count))).toBe(expected);
  }
});

test("lets other work run after every 200 entries", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  count();
  await inSlices(sum(1_000));
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(4);
});
