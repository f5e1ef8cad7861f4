import { useEffect, type RefObject } from "react";
import { isKeyOfOthers } from "@/components/list/keys-of-others";

/** Except in text fields: `/` focuses the search, `?` shows the shortcuts. */
export function useListKeys(searchRef: RefObject<HTMLInputElement | null>, onHelp: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Keys pressed before hydration are recorded and replayed here.
      if (event.defaultPrevented || isKeyOfOthers(event)) return;
      if (event.key === "?") onHelp();
      if (event.key !== "/") return;
      event.preventDefault();
      searchRef.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [searchRef, onHelp]);
}
