"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { usePart } from "@/lib/client/use-part";
import { SINCE_LAST_VISIT } from "./catch-up-words";

const loadAll = () => import("./all-catch-up");
const loadCompany = () => import("./company-catch-up");

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
  const isNeeded = isSettled || isLinked || isWanted;
  const all = usePart("changes-of-all", loadAll, isNeeded && slug === null);
  const company = usePart("changes-of-company", loadCompany, isNeeded && slug !== null);
  let content = (
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
  if (slug === null && all !== null) content = <all.default {...atFirst} />;
  if (slug !== null && company !== null) content = <company.default slug={slug} {...atFirst} />;
  return <div className="catch-up print:hidden">{content}</div>;
}
