import { useEffect, type RefObject } from "react";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";

/** Except in text fields: `/` focuses the search, `?` shows the shortcuts. */
export function useListKeys(searchRef: RefObject<HTMLInputElement | null>, onHelp: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Keys pressed before hydration are recorded and replayed here.
      if (event.defaultPrevented || isHandledElsewhere(event)) return;
      if (event.key === "?") onHelp();
      if (event.key !== "/") return;
      event.preventDefault();
      searchRef.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [searchRef, onHelp]);
}
