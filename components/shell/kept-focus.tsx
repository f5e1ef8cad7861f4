"use client";

import { useEffect } from "react";

/** What takes the focus of a control that was inside it. */
const REGION =
  "[role=region], [role=dialog], [role=alertdialog], section[aria-label], section[aria-labelledby]";

/**
 * When the focused control goes away or becomes disabled, moves the focus to the nearest region that is left, else to the
 * page's title, so that keys and screen readers continue there. Does nothing if something else took the focus, such as a
 * dialog's opener, or if the person left the control.
 */
export function KeptFocus() {
  useEffect(() => {
    /** The control that had the focus, then what it is in; `onPage`: the last one that wasn't in a popup. */
    let last: readonly Element[] = [];
    let onPage: readonly Element[] = [];
    let frame = 0;
    const settle = () => {
      frame = 0;
      const [control] = last;
      if (control === undefined || !isFocusLost()) return;
      if (isUsable(control)) last = [];
      else take(regionOf(last) ?? regionOf(onPage) ?? document.querySelector("#main h1"));
    };
    // A dialog that closes returns the focus in the next frame.
    const settleSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(settle)));
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = withAncestors(target);
      if (target.closest("#main") !== null) onPage = last;
    };
    const onChange = () => {
      const [control] = last;
      if (control !== undefined && (isFocusLost() || !isUsable(control))) settleSoon();
    };
    const observer = new MutationObserver(onChange);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", settleSoon);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", settleSoon);
    };
  }, []);
  return null;
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isUsable(control: Element): boolean {
  return control.isConnected && !control.matches(":disabled");
}

function withAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one !== null; one = one.parentElement) found.push(one);
  return found;
}

function regionOf(path: readonly Element[]): Element | null {
  return path.find((one) => one.isConnected && one.matches(REGION)) ?? null;
}

/** Focuses what isn't a control, and can't be reached by keys otherwise. */
function take(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
