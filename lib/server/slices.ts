import type { Steps } from "@/lib/domain/steps";

/** Other requests wait at most about this long for a slice of a computation to end. */
const SLICE_MS = 10;

/**
 * Completes a long computation in slices, between which the event loop does other work.
 * @throws what the computation throws
 */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let untilMs = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < untilMs) continue;
    await new Promise(setImmediate);
    untilMs = performance.now() + SLICE_MS;
  }
}
