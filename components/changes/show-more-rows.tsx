"use client";

import { useState, type ReactNode } from "react";
import { moreText } from "./words";

/** After a long absence there may be hundreds; this many can be scanned. */
const FIRST_SHOWN = 50;

/** Rows of a list: the first ones, and all of them on demand. @param className of a row */
export function Some<T>({
  of: all,
  className,
  children,
}: {
  of: readonly T[];
  className: string;
  children: (entry: T) => ReactNode;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const rest = showsAll ? 0 : all.length - FIRST_SHOWN;
  return (
    <>
      {(rest > 0 ? all.slice(0, FIRST_SHOWN) : all).map(children)}
      {rest > 0 ? (
        <div role="row" className={className}>
          <span role="cell">
            <button type="button" className="underline" onClick={() => setShowsAll(true)}>
              {moreText(rest)}
            </button>
          </span>
        </div>
      ) : null}
    </>
  );
}
