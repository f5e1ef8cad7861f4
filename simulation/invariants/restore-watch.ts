import { lastRestoreMs } from "../faults";
import type { Scene } from "../simulation";

/** @returns tells whether a backup was restored since the last call */
export function createRestoreWatch(): (scene: Scene) => boolean {
  let lastMs: number | null = null;
  return ({ faults, time }) => {
    const beforeMs = lastMs;
    lastMs = lastRestoreMs(faults, time.nowMs());
    return lastMs !== beforeMs;
  };
}
