"use client";

import { Suspense, useEffect, useEffectEvent, useState, type RefObject } from "react";
import { Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";
import { useEarlyKeys } from "@/components/list/use-early-keys";
import { lazyPart } from "@/components/ui/lazy-part";
import { footWords as words } from "./words";

const KeysDialog = lazyPart(() => import("./promise-keys-dialog"));

/**
 * Footer of the list with its keys: J and K move through the rows, N makes a new promise.
 * @param listRef has the rows
 * @param onNew null: the person may make none
 */
export function PromiseKeys({
  said,
  listRef,
  onNew,
}: {
  said: string;
  listRef: RefObject<HTMLElement | null>;
  onNew: (() => void) | null;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Chrome's autofill sends a keydown without a key.
    if (typeof event.key !== "string" || event.defaultPrevented || isHandledElsewhere(event))
      return;
    const key = event.key.toLowerCase();
    if (key === "?") setShowsAll(true);
    else if (key === "n" && onNew !== null) onNew();
    else if (key === "j" || key === "k") moveFocus(listRef.current, key === "j" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  useEarlyKeys();
  return (
    <>
      <KeysFooter
        label={words.label}
        summary={said}
        all={words.all}
        onHelp={() => setShowsAll(true)}
      >
        <ListKeys move={words.move} open={words.open} />
        {onNew === null ? null : (
          <span>
            <Key>N</Key> {words.make}
          </span>
        )}
      </KeysFooter>
      <Suspense>
        {showsAll ? (
          <KeysDialog mayMake={onNew !== null} onClose={() => setShowsAll(false)} />
        ) : null}
      </Suspense>
    </>
  );
}

/** Moves to the button of the next or previous row; the first one if the focus is elsewhere. */
function moveFocus(list: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>("tbody tr [data-act]") ?? [])];
  const at = rows.findIndex((one) => one === document.activeElement);
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}
