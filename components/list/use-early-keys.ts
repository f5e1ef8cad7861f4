import { useEffect } from "react";
import { takeEarlyKeys } from "./early-keys";

/** Replays keys pressed before the caller's rows could handle them. */
export function useEarlyKeys() {
  useEffect(() => {
    void pressAgain(takeEarlyKeys());
  }, []);
}

/** In sequence, so that each key sees the effect of the previous one. */
async function pressAgain(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    // Also lets everything that mounts at the same time attach its listeners.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}
