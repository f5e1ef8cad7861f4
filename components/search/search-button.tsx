"use client";

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";

const loadPalette = () => import("./palette");
const Palette = lazy(loadPalette);

/**
 * The field that leads to the search, and Ctrl K or Command K from anywhere. The search itself comes
 * when somebody is about to use it.
 * @param companies those the person may see; `here` is the slug of the present one, null on none
 */
export function SearchButton({
  companies,
  here,
}: {
  companies: readonly { slug: string; name: string }[];
  here: string | null;
}) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      if (!event.repeat) setIsOpen((before) => !before);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const shortcut = useSyncExternalStore(
    never,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );
  return (
    <>
      <button
        type="button"
        className="find"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadPalette()}
        onFocus={() => void loadPalette()}
        onClick={() => setIsOpen(true)}
      >
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <circle cx="6.8" cy="6.8" r="4.8" />
          <path d="m10.4 10.4 4.1 4.1" />
        </svg>
        <span>Find partner, endpoint{here === null ? "" : ", file"}</span>
        <kbd aria-hidden="true" className="key">
          {shortcut}
        </kbd>
      </button>
      {isOpen ? (
        <Suspense>
          <Palette companies={companies} here={here} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

const never = () => () => {};

function isSearchKey(event: KeyboardEvent): boolean {
  const isAlone = !event.altKey && !event.shiftKey && event.ctrlKey !== event.metaKey;
  return isAlone && event.key.toLowerCase() === "k";
}
