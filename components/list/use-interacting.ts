import { useMemo, useRef } from "react";
import { useNow, useServerClock } from "@/lib/client/use-now";

/** Lines stay frozen for this long after pointer and focus have left. */
const PAUSE_MS = 3000;
/** A pointer that hasn't moved for this long counts as absent. */
const ABANDONED_MS = 5 * 60_000;

/**
 * Whether a person is interacting with the lines: pointer over them, focus within, or either a
 * moment ago.
 * @returns handlers for the element that contains the lines
 */
export function useInteracting() {
  const clock = useServerClock();
  const touch = useRef({ isPointed: false, isFocused: false, atMs: -Infinity });
  const isInteracting = useNow((nowMs) => {
    const { isPointed, isFocused, atMs } = touch.current;
    return nowMs - atMs < (isPointed || isFocused ? ABANDONED_MS : PAUSE_MS);
  });
  const handlers = useMemo(() => {
    const note = (change: { isPointed?: boolean; isFocused?: boolean }) => {
      Object.assign(touch.current, change, { atMs: clock.nowMs() });
    };
    return {
      onPointerMove: () => note({ isPointed: true }),
      onPointerLeave: () => note({ isPointed: false }),
      onFocus: () => note({ isFocused: true }),
      onBlur: () => note({ isFocused: false }),
      onKeyDown: () => note({}),
    };
  }, [clock]);
  return { isInteracting, handlers };
}
