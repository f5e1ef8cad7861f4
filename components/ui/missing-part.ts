import { useSyncExternalStore } from "react";

/** Whether code that a person requested failed to load the last time. */
let isMissing = false;
const listeners = new Set<() => void>();

/** Records whether such code was loaded. */
export function notePart(hasCome: boolean): void {
  if (isMissing !== hasCome) return;
  isMissing = !hasCome;
  for (const listener of listeners) listener();
}

/** Whether to report missing code, until it or another part is loaded. */
export function usePartIsMissing(): boolean {
  return useSyncExternalStore(
    listen,
    () => isMissing,
    () => false,
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
