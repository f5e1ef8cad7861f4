"use client";

import { useSearchParams } from "next/navigation";
import { Suspense, useState } from "react";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { lazyPart } from "@/components/ui/lazy-part";
import { SINCE_LAST_VISIT } from "./words";

const AllCatchUp = lazyPart(() => import("./all-catch-up"));
const CompanyCatchUp = lazyPart(() => import("./company-catch-up"));

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
  const atFirst = { isOpenAtFirst: isLinked || isWanted, takesFocus: hasFocus };
  const line = (
    <button
      type="button"
      className="catch-up-line"
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      onClick={() => setIsWanted(true)}
    >
      {SINCE_LAST_VISIT}
    </button>
  );
  return (
    <div className="catch-up print:hidden">
      {isSettled || isLinked || isWanted ? (
        <Suspense fallback={line}>
          {slug === null ? (
            <AllCatchUp {...atFirst} />
          ) : (
            <CompanyCatchUp slug={slug} {...atFirst} />
          )}
        </Suspense>
      ) : (
        line
      )}
    </div>
  );
}
