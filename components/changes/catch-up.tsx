"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { CatchUpLines } from "./catch-up-lines";
import { SINCE_LAST_VISIT } from "./words";

/**
 * The summary line of changes since the last visit, which expands to the list. The current state
 * has priority: changes are requested once the page has settled, or on demand. The line's space is
 * reserved from the first paint.
 * @param slug null: all companies
 */
export function CatchUp({ slug }: { slug: string | null }) {
  const isSettled = useSettledPage();
  const isLinked = useSearchParams().has("since");
  const [isWanted, setIsWanted] = useState(false);
  // The lines take over the focus of the button that they replace.
  const [hasFocus, setHasFocus] = useState(false);
  return (
    <div className="catch-up print:hidden">
      {isSettled || isLinked || isWanted ? (
        <CatchUpLines slug={slug} isOpenAtFirst={isLinked || isWanted} takesFocus={hasFocus} />
      ) : (
        <button
          type="button"
          className="catch-up-line"
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          onClick={() => setIsWanted(true)}
        >
          {SINCE_LAST_VISIT}
        </button>
      )}
    </div>
  );
}
