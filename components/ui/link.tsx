"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, type ComponentProps, type MouseEvent } from "react";

/**
 * A link to a page of ours: a plain press goes there without a full load, anything else (another
 * tab, a download, the menu) is the browser's own matter. Lighter than the framework's own link, in bytes and
 * where a board draws dozens of them at once.
 * @param comesAhead the page's code and data come before anybody presses
 */
export function Link({
  href,
  comesAhead = false,
  onClick,
  onPointerEnter,
  children,
  ...rest
}: ComponentProps<"a"> & { href: string; comesAhead?: boolean }) {
  const router = useRouter();
  const fetchAhead = useCallback(() => {
    if (comesAhead) router.prefetch(href, { kind: FULL });
  }, [router, href, comesAhead]);
  useEffect(fetchAhead, [fetchAhead]);
  return (
    <a
      {...rest}
      href={href}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        // What came long ago may be too old by now; else this asks for nothing.
        fetchAhead();
      }}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainPress(event)) return;
        event.preventDefault();
        router.push(href);
      }}
    >
      {children}
    </a>
  );
}

type PrefetchKind = NonNullable<Parameters<ReturnType<typeof useRouter>["prefetch"]>[1]>["kind"];
// The framework names it in a module of its own that is not meant for us.
const FULL = "full" as PrefetchKind;

function isPlainPress(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target, download } = event.currentTarget;
  const isElsewhere = (target !== "" && target !== "_self") || download !== "";
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return !isElsewhere && !isModified && event.button === 0;
}
