import { useEffect, useEffectEvent, type RefObject } from "react";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";
import type { Trouble } from "@/lib/domain/incidents/incident";

const VERDICT_KEYS: Readonly<Record<string, Trouble>> = { 1: "failing", 2: "stale", 3: "late" };

/**
 * Keyboard shortcuts outside of text fields: A and T press the buttons of the focused line.
 * @param onNoTake the focused line has no incident that could be acknowledged
 */
export function useTodayKeys({
  searchRef,
  onVerdict,
  onClear,
  onOrder,
  onHelp,
  onNoTake,
}: {
  searchRef: RefObject<HTMLInputElement | null>;
  onVerdict: (verdict: readonly Trouble[] | null) => void;
  /** Clears the filters. */
  onClear: () => void;
  onOrder: () => void;
  onHelp: () => void;
  onNoTake: () => void;
}) {
  const press = (what: "data-take" | "data-tell"): boolean => {
    const line = document.activeElement?.closest<HTMLElement>("[data-line]");
    line?.querySelector<HTMLButtonElement>(`[${what}]`)?.click();
    return line?.querySelector(`[${what}]`) !== null;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Chrome's autofill sends a keydown without a key.
    if (typeof event.key !== "string" || event.defaultPrevented || isHandledElsewhere(event))
      return;
    const { key, repeat } = event;
    if (key === "/") {
      event.preventDefault();
      searchRef.current?.focus();
    } else if (key === "?") onHelp();
    else if (key === "Escape") onClear();
    else if (key === "0") onVerdict(null);
    else if (VERDICT_KEYS[key] !== undefined) onVerdict([VERDICT_KEYS[key]]);
    else if (repeat) return;
    else if (key.toLowerCase() === "n") onOrder();
    else if (key.toLowerCase() === "a" && !press("data-take")) onNoTake();
    else if (key.toLowerCase() === "t") press("data-tell");
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
