import { useMemo, useRef } from "react";
import { useNow, useServerClock } from "@/lib/client/use-now";

/** Lines keep still for this long after the pointer and the focus have left. */
const PAUSE_MS = 3000;
/** A pointer that has rested for this long belongs to nobody. */
const ABANDONED_MS = 5 * 60_000;

/**
 * Whether somebody is at the lines now: a pointer over them, a focus among them, or either a moment ago.
 * @returns handlers for the element that holds the lines
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
