import { useEffect, type RefObject } from "react";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";
import { VERDICTS } from "@/lib/domain/sync";
import type { BoardState } from "./board-url";

/** Keyboard shortcuts outside of text fields: 1 to 8 filter, 0 all, N sorts, / searches, ? shows help. */
export function useBoardKeys({
  searchRef,
  change,
  onHelp,
  onOrder,
}: {
  searchRef: RefObject<HTMLInputElement | null>;
  change: (changes: Pick<Partial<BoardState>, "verdict">) => void;
  onHelp: () => void;
  onOrder?: () => void;
}) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Keys pressed before hydration are recorded and replayed here.
      // Chrome's autofill sends a keydown without a key.
      if (typeof event.key !== "string" || event.defaultPrevented || isHandledElsewhere(event))
        return;
      if (event.key === "/") {
        event.preventDefault();
        searchRef.current?.focus();
      } else if (event.key === "?") onHelp();
      else if (event.key.toLowerCase() === "n" && !event.repeat) onOrder?.();
      else if (event.key === "0") change({ verdict: null });
      else if (/^[1-8]$/.test(event.key)) {
        change({ verdict: VERDICTS[Number(event.key) - 1] ?? null });
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [searchRef, change, onHelp, onOrder]);
}
