import { useState } from "react";

/**
 * Keeps showing `value` as it was while `isInteracting`, so that nothing moves under a pointer or a focus.
 * A change of `key` (what the person asked for) is always let through at once.
 */
export function useFrozenOrder<T>(value: T, key: unknown, isInteracting: boolean): T {
  const [held, setHeld] = useState({ value, key });
  if (held.value === value && held.key === key) return value;
  if (isInteracting && held.key === key) return held.value;
  // Setting state while rendering replaces this render before anything is drawn.
  setHeld({ value, key });
  return value;
}
