"use client";

import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useAfterHydration } from "@/components/ui/early/use-after-hydration";
import { PENDING_SEARCH, takeEarlyText } from "@/components/list/early-keys";
import { lazyPart } from "@/components/ui/lazy-part";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";

const loadPalette = () => import("./palette");
const Palette = lazyPart(loadPalette);

/**
 * The field that opens the search, and Ctrl K or Command K from anywhere. The search is loaded when
 * it is about to be used.
 * @param companies those that the person may see; `here` is the slug of the current one, null
 *   without one
 * @param settings settings pages that the person may see
 */
export function SearchButton({
  companies,
  here,
  settings,
}: {
  companies: readonly { slug: string; name: string }[];
  here: string | null;
  settings: readonly SettingsPage[];
}) {
  const { isOpen, button, open, close, takeText } = useOpening();
  const shortcut = useAfterHydration(
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    "Ctrl K",
  );
  return (
    <>
      <button
        type="button"
        ref={button}
        className="find"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadPalette()}
        onFocus={() => void loadPalette()}
        onClick={() => open()}
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
        <span>Find partner, feed{here === null ? "" : ", file"}</span>
        <kbd aria-hidden="true" className="key">
          {shortcut}
        </kbd>
      </button>
      {isOpen ? (
        <Suspense>
          <Palette
            companies={companies}
            here={here}
            settings={settings}
            takeText={takeText}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/**
 * Opens and closes the search. Text typed between the shortcut and the focus of the search field,
 * during hydration or loading, is kept for the field.
 */
function useOpening() {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** Null while nothing is buffered: the search is closed, or its field has the focus. */
  const ahead = useRef<string | null>(null);
  const isOpening = useRef(false);

  const wait = useCallback((text: string | null) => {
    ahead.current = text;
    if (text === null) button.current?.removeAttribute(PENDING_SEARCH);
    else button.current?.setAttribute(PENDING_SEARCH, text);
  }, []);
  const open = useCallback(
    (text = "") => {
      isOpening.current = true;
      wait(text);
      setIsOpen(true);
    },
    [wait],
  );
  const close = useCallback(() => {
    isOpening.current = false;
    wait(null);
    setIsOpen(false);
  }, [wait]);
  const takeText = useCallback(() => {
    const text = ahead.current ?? "";
    wait(null);
    return text;
  }, [wait]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearchKey(event)) {
        event.preventDefault();
        if (event.repeat) return;
        if (isOpening.current) close();
        else open();
        return;
      }
      const text = ahead.current;
      // Keys replayed for the rows weren't typed for the search.
      if (text === null || !event.isTrusted) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key === "Escape") close();
      else if (event.key === "Backspace") wait(text.slice(0, -1));
      else if (event.key.length === 1) wait(text + event.key);
      // Enter has nothing to choose yet, and must not activate the focused element behind.
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // In the capture phase, before these keys act elsewhere.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [open, close, wait]);

  useEffect(() => {
    const text = takeEarlyText();
    if (text === null) return;
    wait(text);
    setTimeout(() => {
      // Text typed meanwhile is appended, and Escape still closes.
      if (ahead.current !== null) open(ahead.current);
    });
  }, [open, wait]);
  return { isOpen, button, open, close, takeText };
}

function isSearchKey(event: KeyboardEvent): boolean {
  const isAlone = !event.altKey && !event.shiftKey && event.ctrlKey !== event.metaKey;
  return isAlone && event.key.toLowerCase() === "k";
}
