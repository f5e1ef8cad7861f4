import { useEffect, type RefObject } from "react";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { wantsKeys } from "./wants-keys";

/**
 * Keys that work anywhere on the page but in a text field: 1 to 8 filter, 0 all, / searches, ? helps.
 * @param onVerdict told which verdict alone to show; null: all
 */
export function useFilterKeys({
  searchRef,
  onVerdict,
  onHelp,
}: {
  searchRef: RefObject<HTMLInputElement | null>;
  onVerdict: (verdict: Verdict | null) => void;
  onHelp: () => void;
}) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Kept before the page was hydrated, and pressed again for it.
      if (event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || wantsKeys(event.target)) return;
      if (event.key === "/") {
        event.preventDefault();
        searchRef.current?.focus();
      } else if (event.key === "?") onHelp();
      else if (event.key === "0") onVerdict(null);
      else if (/^[1-8]$/.test(event.key)) onVerdict(VERDICTS[Number(event.key) - 1] ?? null);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [searchRef, onVerdict, onHelp]);
}
