import { useSyncExternalStore } from "react";

/** What this tab knows of its session, by the answers to what it asked. */
type SessionState = {
  /** The server said that nobody is signed in. */
  isOver: boolean;
  /** When it last answered us as somebody, epoch milliseconds on its clock; null: not yet. */
  heardMs: number | null;
};

let state: SessionState = { isOver: false, heardMs: null };
const listeners = new Set<() => void>();

/**
 * Takes note of an answer of ours. One that is somebody's ends what was said before: they have signed in again, in
 * another tab.
 * @param isSomebodys false: it was refused because nobody is signed in
 * @param atMs the server's clock when it answered; null: it did not say
 */
export function noteAnswer(isSomebodys: boolean, atMs: number | null): void {
  const wasOver = state.isOver;
  state = { isOver: !isSomebodys, heardMs: isSomebodys ? atMs : state.heardMs };
  if (wasOver !== state.isOver) for (const listener of listeners) listener();
}

/** Whether this tab's session is over; whoever listens is told when that changes. */
export function useSessionIsOver(): boolean {
  return useSyncExternalStore(listen, isOver, () => false);
}

/** When the server last answered us as somebody; null: it has not. */
export function lastHeardMs(): number | null {
  return state.heardMs;
}

function isOver(): boolean {
  return state.isOver;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The sign-in page, and from there this very address again. What stands behind `#` is not sent to the server: the
 * sign-in page keeps it for itself.
 */
export function signInAddress({
  pathname,
  search,
  hash,
}: Pick<Location, "pathname" | "search" | "hash">): string {
  return `/signin?callbackUrl=${encodeURIComponent(pathname + search)}${hash}`;
}
