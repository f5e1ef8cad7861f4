/** Runs seen, and those that didn't complete. */
export type RunCounts = { seen: number; notCompleted: number };

/** "23 runs seen, 3 not completed" */
export function runsText({ seen, notCompleted }: RunCounts): string {
  return `${seen} ${seen === 1 ? "run" : "runs"} seen, ${notCompleted} not completed`;
}
