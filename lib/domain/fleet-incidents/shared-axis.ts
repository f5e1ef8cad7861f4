const STEP_MS = 10_000;

/**
 * How far the clock of a company's API is ahead of the axis that all companies share, in steps of 10 s: the small
 * differences vary from check to check.
 * @param offsetMs how far it is ahead of ours, milliseconds
 */
export function sharedShiftMs(offsetMs: number): number {
  return Math.round(offsetMs / STEP_MS) * STEP_MS;
}
