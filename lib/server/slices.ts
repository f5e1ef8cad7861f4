import type { Steps } from "@/lib/domain/steps";

/** Other requests wait at most about this long for a slice of a computation to end. */
const SLICE_MS = 10;

/**
 * Completes a long computation in slices, between which the event loop does other work.
 * @param nowMs a monotonic clock
 * @throws what the computation throws
 */
export async function inSlices<T>(steps: Steps<T>, nowMs = () => performance.now()): Promise<T> {
  let untilMs = nowMs() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (nowMs() < untilMs) continue;
    await new Promise(setImmediate);
    untilMs = nowMs() + SLICE_MS;
  }
}
