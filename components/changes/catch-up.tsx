"use client";

import { useSearchParams } from "next/navigation";
import { Suspense, useDeferredValue, useState } from "react";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { lazyPart } from "@/components/ui/lazy-part";
import { NOT_LOADED, WHAT_CHANGED } from "./first-words";

/** Without a network the page goes on without it. */
const Lines = lazyPart(
  () => import("./catch-up-lines"),
  <p className="catch-up-line">{NOT_LOADED}</p>,
);

/**
 * The line that says what changed since somebody last looked, and opens to the list. How things are comes first: this
 * is loaded after it, or when it is asked for. It has its place from the beginning, so that nothing moves.
 * @param slug null: of all companies
 */
export function CatchUp({ slug }: { slug: string | null }) {
  const isSettled = useSettledPage();
  // Whoever follows a link to what changed wants to see it.
  const isLinked = useSearchParams().has("since");
  const [isWanted, setIsWanted] = useState(false);
  // What takes the button's place takes its focus too.
  const [hasFocus, setHasFocus] = useState(false);
  // Deferred, so that the button stays, with its focus, until what takes its place has come.
  const shows = useDeferredValue(isSettled || isLinked || isWanted);
  const first = (
    <button
      type="button"
      className="catch-up-line"
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      onClick={() => setIsWanted(true)}
    >
      {WHAT_CHANGED}
    </button>
  );
  return (
    <div className="catch-up print:hidden">
      <Suspense fallback={first}>
        {shows ? (
          <Lines slug={slug} isOpenAtFirst={isLinked || isWanted} takesFocus={hasFocus} />
        ) : (
          first
        )}
      </Suspense>
    </div>
  );
}
