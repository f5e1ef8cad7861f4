"use client";

import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { createServerClock, type ServerClock } from "./clock";

const ClockContext = createContext<{ clock: ServerClock; startMs: number } | null>(null);

/** Provides one ticking clock to its children. `nowMs`: the server's time when it rendered this page. */
export function ClockProvider({ nowMs, children }: { nowMs: number; children: ReactNode }) {
  const [value] = useState(() => ({ clock: createServerClock(nowMs), startMs: nowMs }));
  return createElement(ClockContext.Provider, { value }, children);
}

function useClockContext() {
  const value = useContext(ClockContext);
  if (value === null) throw new Error("ClockProvider is missing above this component");
  return value;
}

export const useServerClock = (): ServerClock => useClockContext().clock;

/**
 * The result of `read` for the current time (epoch milliseconds, server's clock), updated every second. Renders only
 * when the result changes according to `isSame`; so a text that changes once a minute renders once a minute.
 */
export function useNow<T>(
  read: (nowMs: number) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  const { clock, startMs } = useClockContext();
  const last = useRef<{ value: T } | null>(null);
  const keep = (value: T): T => {
    const before = last.current;
    if (before !== null && isSame(before.value, value)) return before.value;
    last.current = { value };
    return value;
  };
  // While hydrating, the time is that of the server's render, so that both texts match.
  const atStart = useRef<{ read: unknown; value: T } | null>(null);
  const readAtStart = () => {
    if (atStart.current?.read !== read) atStart.current = { read, value: read(startMs) };
    return atStart.current.value;
  };
  // React calls it several times per render: cache the result within a second.
  const atSecond = useRef<{ read: unknown; second: number; value: T } | null>(null);
  const readNow = () => {
    const nowMs = clock.nowMs();
    const second = Math.floor(nowMs / 1000);
    if (atSecond.current?.read !== read || atSecond.current.second !== second) {
      atSecond.current = { read, second, value: keep(read(nowMs)) };
    }
    return atSecond.current.value;
  };
  const subscribe = useCallback((listener: () => void) => clock.subscribe(listener), [clock]);
  return useSyncExternalStore(subscribe, readNow, readAtStart);
}
