import { createFlag } from "./flag";

/** Whether code that a person requested failed to load the last time. */
const missing = createFlag();

/** Records whether such code was loaded. */
export function recordPartLoad(hasLoaded: boolean): void {
  missing.set(!hasLoaded);
}

/** Whether to report missing code, until it or another part is loaded. */
export const useIsPartMissing = (): boolean => missing.use();
