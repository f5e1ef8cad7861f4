import { useSyncExternalStore } from "react";

/** Whether the code of a part that somebody asked for could not be had the last time. */
let isMissing = false;
const listeners = new Set<() => void>();

/** Takes note of whether such code came. */
export function notePart(hasCome: boolean): void {
  if (isMissing !== hasCome) return;
  isMissing = !hasCome;
  for (const listener of listeners) listener();
}

/** Whether to say that something is missing, until it comes or something else does. */
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
