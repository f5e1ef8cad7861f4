import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Divides long work, so that requests are answered meanwhile: awaited after each step, it lets other work run once steps
 * have added up.
 * @param most what one slice may add up to
 * @returns takes the size of the step
 */
export function inSlices(most: number): (size: number) => Promise<void> | undefined {
  let sum = 0;
  return (size) => {
    sum += size;
    if (sum < most) return undefined;
    sum = 0;
    return nextTurn();
  };
}
