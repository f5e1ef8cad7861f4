import { useSyncExternalStore } from "react";

/** A value that any code may set, and components show. */
export type Flag = { set(value: boolean): void; use(): boolean };

/** @returns initially false */
export function createFlag(): Flag {
  let isSet = false;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(value) {
      if (value === isSet) return;
      isSet = value;
      for (const listener of listeners) listener();
    },
    use: () =>
      useSyncExternalStore(
        listen,
        () => isSet,
        () => false,
      ),
  };
}
