import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * A value that only the browser knows, and that doesn't change.
 * @param read returns the same each time
 * @param before what the server rendered, which hydration needs
 */
export function useAfterHydration<T>(read: () => T, before: T): T {
  return useSyncExternalStore(never, read, () => before);
}
