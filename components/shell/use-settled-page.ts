import { useEffect, useState } from "react";

/** By then the page has loaded everything that it needs. */
const SETTLED_MS = 3000;

/** Becomes true when the page has been open for a while and the browser is idle. */
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

/** Safari has no idle callbacks: runs at once. */
function whenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback !== "function") {
    run();
    return () => {};
  }
  const id = window.requestIdleCallback(run);
  return () => window.cancelIdleCallback(id);
}
