import { useState } from "react";

/**
 * Keeps showing `value` as it was while `isHeld`, so that nothing moves under a pointer or a focus.
 * A change of `key` (what the person asked for) is always let through at once.
 */
export function useHeld<T>(value: T, key: unknown, isHeld: boolean): T {
  const [held, setHeld] = useState({ value, key });
  if (held.value === value && held.key === key) return value;
  if (isHeld && held.key === key) return held.value;
  // Setting state while rendering replaces this render before anything is drawn.
  setHeld({ value, key });
  return value;
}
