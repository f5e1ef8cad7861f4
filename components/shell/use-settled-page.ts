import { useEffect, useState } from "react";

/** Whatever the page needs for itself has come by then. */
const SETTLED_MS = 3000;

/** Turns true when the page has been there for a while and the browser has nothing else to do. */
export function useSettledPage(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    let stopIdle = () => {};
    const timer = setTimeout(() => {
      stopIdle = whenIdle(() => setIsSettled(true));
    }, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      stopIdle();
    };
  }, []);
  return isSettled;
}

/** Safari has no idle callbacks: there it is at once. */
function whenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback !== "function") {
    run();
    return () => {};
  }
  const id = window.requestIdleCallback(run);
  return () => window.cancelIdleCallback(id);
}
