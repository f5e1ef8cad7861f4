import { createFlag } from "./flag";

/** Whether code that a person requested failed to load the last time. */
const missing = createFlag();

/** Records whether such code was loaded. */
export function notePart(hasCome: boolean): void {
  missing.set(!hasCome);
}

/** Whether to report missing code, until it or another part is loaded. */
export const usePartIsMissing = (): boolean => missing.use();
