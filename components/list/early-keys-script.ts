import { PENDING_SEARCH, TAKE } from "./early-keys";

/** After a pause of this length, earlier keys are discarded. */
const MAX_PAUSE_MS = 5000;
const MAX_KEYS = 50;

type Options = {
  take: string;
  pendingSearch: string;
  maxPauseMs: number;
  maxKeys: number;
};

/**
 * Records keys until the page's own scripts have hydrated, so that early typing isn't lost. The
 * search and the rows hydrate at different times, and each takes its own part: the text typed after
 * Ctrl K, and the single keys of lists. Enter, Delete and keys with modifiers are never recorded;
 * keys in fields are left to the browser, and `/` focuses the filter at once if the page has it already. Sent to
 * the browser as source text: refers to nothing outside its body.
 */
function recordEarlyKeys({ take, pendingSearch, maxPauseMs, maxKeys }: Options): void {
  let listKeys: string[] | null = [];
  let isSearchTaken = false;
  let searchText: string | null = null;
  let lastKeyMs = 0;

  /** @returns whether the key was recorded, so that its default must not happen */
  function record(event: KeyboardEvent, hasSearch: boolean): boolean {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isSearchShortcut =
      key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
    if (hasSearch && isSearchShortcut) {
      if (!event.repeat) searchText = searchText === null ? "" : null;
      return true;
    }
    if (ctrlKey || metaKey || altKey || event.isComposing) return false;
    if (searchText !== null) {
      if (key === "Escape") searchText = null;
      else if (key === "Backspace") searchText = searchText.slice(0, -1);
      else if (key.length === 1) searchText += key;
      else return key === "Enter";
      return true;
    }
    const isInField = (event.target as Element).closest("input,textarea,select") !== null;
    if (listKeys === null || isInField) return false;
    if (key === "/") {
      const filter = document.querySelector<HTMLElement>('[aria-keyshortcuts="/"]');
      filter?.focus();
      if (filter !== null) return true;
    }
    if (!/^[0-8?jk/]$/.test(key) || listKeys.length >= maxKeys) return false;
    listKeys.push(key);
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Chrome's autofill sends a keydown without a key.
    if (typeof event.key !== "string") return;
    const nowMs = Date.now();
    if (nowMs - lastKeyMs > maxPauseMs) {
      listKeys &&= [];
      searchText = null;
    }
    const search = isSearchTaken ? null : document.querySelector(".find");
    if (!record(event, search !== null)) return;
    // Also keeps a page that hydrates during this very event from handling the key again.
    event.preventDefault();
    lastKeyMs = nowMs;
    if (searchText === null) search?.removeAttribute(pendingSearch);
    else search?.setAttribute(pendingSearch, searchText);
  }

  function takeKeys(isForSearch: boolean): string | string[] | null {
    const taken = isForSearch ? searchText : listKeys;
    if (isForSearch) {
      isSearchTaken = true;
      searchText = null;
    } else listKeys = null;
    if (isSearchTaken && listKeys === null)
      document.removeEventListener("keydown", onKeyDown, true);
    return Date.now() - lastKeyMs > maxPauseMs ? null : taken;
  }

  document.addEventListener("keydown", onKeyDown, true);
  Reflect.set(window, take, takeKeys);
}

/** The source of the script that records early keys. */
export const EARLY_KEYS_SCRIPT = `(${recordEarlyKeys.toString()})(${JSON.stringify({
  take: TAKE,
  pendingSearch: PENDING_SEARCH,
  maxPauseMs: MAX_PAUSE_MS,
  maxKeys: MAX_KEYS,
} satisfies Options)})`;
