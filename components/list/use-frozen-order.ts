import { useState } from "react";

/**
 * Keeps returning the previous `value` while `isInteracting`, so that nothing moves under a pointer
 * or a focus. A change of `key` (the filters) always takes effect at once.
 */
export function useFrozenOrder<T>(value: T, key: unknown, isInteracting: boolean): T {
  const [held, setHeld] = useState({ value, key });
  if (held.value === value && held.key === key) return value;
  if (isInteracting && held.key === key) return held.value;
  // Setting state during render replaces this render before anything is painted.
  setHeld({ value, key });
  return value;
}
