"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { CatchUpLines } from "./catch-up-lines";
import { SINCE_LAST_VISIT } from "./words";

/**
 * The line that says what changed since the person's last visit, and opens to the list. The current state comes first:
 * changes are requested once the page has settled, or on request. The line has its place from the first paint.
 * @param slug null: of all companies
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
