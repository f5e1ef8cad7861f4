import { expect, test } from "vitest";
import { inSlices } from "./slices";

test("lets other work run once steps have added up", async () => {
  const slice = inSlices(10);
  let turns = 0;
  setImmediate(() => (turns += 1));
  expect(slice(9)).toBeUndefined();
  expect(turns).toBe(0);
  await slice(1);
  expect(turns).toBe(1);
  expect(slice(9)).toBeUndefined();
  await expect(slice(100)).resolves.toBeUndefined();
});
