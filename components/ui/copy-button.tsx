"use client";

import { useEffect, useState, type ReactNode } from "react";
import { Button } from "./button";
import { toClipboard, type Copied } from "./to-clipboard";

const SHOWN_MS = 2500;

/** Copies a text to the clipboard and shows whether that worked. Its size never changes. */
export function CopyButton({
  text,
  children,
  look = "plain",
  shortcut,
  className = "",
}: {
  /** Called on the click, so that the text is current. */
  text: () => string | Copied | Promise<Copied>;
  children: ReactNode;
  look?: "plain" | "primary";
  /** The key that presses it where it is shown. */
  shortcut?: string;
  className?: string;
}) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await toClipboard(text())) ? "copied" : "refused");
  return (
    <>
      <Button
        look={look}
        className={className}
        aria-keyshortcuts={shortcut}
        onClick={() => void copy()}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
          <path
            d={outcome === "copied" ? "M1.5 6.5 4.5 9.5 10.5 2.5" : "M4 4h7v7H4zM8 4V1H1v7h3"}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.3"
          />
        </svg>
        {children}
      </Button>
      <span role="status" className="sr-only">
        {outcome === "copied" ? "Copied" : ""}
      </span>
      {outcome === "refused" ? (
        <span role="alert" className="self-center text-xs text-failing-text">
          Couldn’t copy: blocked by your browser.
        </span>
      ) : null}
    </>
  );
}
