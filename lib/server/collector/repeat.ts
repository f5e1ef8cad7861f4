import type { Clock } from "@/lib/server/clock";

/** Repeats `work` until `signal` aborts. @param everyMs pause after each run; a function is called after the run */
export async function repeat(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  { firstAfterMs, everyMs }: { firstAfterMs: number; everyMs: number | (() => number) },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await clock.sleep(firstAfterMs, signal);
    while (!signal.aborted) {
      await work();
      await clock.sleep(typeof everyMs === "number" ? everyMs : everyMs(), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
