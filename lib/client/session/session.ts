import { useSyncExternalStore } from "react";

/** This tab's session, derived from the responses to its requests. */
type SessionState = {
  /** Whether the server said that the session is over. */
  isOver: boolean;
  /** Last authenticated response, epoch milliseconds on the server's clock; null: none yet. */
  lastResponseMs: number | null;
};

let state: SessionState = { isOver: false, lastResponseMs: null };
const listeners = new Set<() => void>();

/**
 * Records a response. An authenticated one also resets `isOver`: the person has signed in again in another tab.
 * @param isAuthenticated false: rejected as unauthenticated
 * @param atMs the server's clock at the response; null: unknown
 */
export function recordResponse(isAuthenticated: boolean, atMs: number | null): void {
  const wasOver = state.isOver;
  state = {
    isOver: !isAuthenticated,
    lastResponseMs: isAuthenticated ? atMs : state.lastResponseMs,
  };
  if (wasOver !== state.isOver) for (const listener of listeners) listener();
}

/** Whether this tab's session is over; renders again when that changes. */
export function useSessionIsOver(): boolean {
  return useSyncExternalStore(listen, isSessionOver, () => false);
}

/** Time of the last authenticated response; null: none yet. */
export function lastResponseMs(): number | null {
  return state.lastResponseMs;
}

/** Whether this tab's session is over. */
export function isSessionOver(): boolean {
  return state.isOver;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The sign-in page with a return path to this address. The fragment isn't sent to the server, so the sign-in page keeps
 * it.
 */
export function signInAddress({
  pathname,
  search,
  hash,
}: Pick<Location, "pathname" | "search" | "hash">): string {
  return `/signin?callbackUrl=${encodeURIComponent(pathname + search)}${hash}`;
}
