import { useEffect } from "react";
import { takeEarlyKeys } from "./early-keys";

/** Presses again what was pressed before the caller's rows could hear it. */
export function useEarlyKeys() {
  useEffect(() => {
    void pressAgain(takeEarlyKeys());
  }, []);
}

/** One after the other, as hands do: each key finds what the one before it has changed. */
async function pressAgain(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    // Also lets everything that mounts along with us begin to listen.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}
