import { useCallback, useSyncExternalStore } from "react";

/** Texts that are typed and not sent yet, by a key that names their field and its person. */
type KeptTexts = {
  /** Empty: there is none. */
  read: (key: string) => string;
  /** An empty text is forgotten. */
  write: (key: string, text: string) => void;
  /** @returns stops listening */
  listen: (listener: () => void) => () => void;
};

/** @param storage of this tab; without it, texts last until the page is loaded again */
export function createKeptTexts(
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): KeptTexts {
  const written = new Map<string, string>();
  const listeners = new Set<() => void>();
  const nameOf = (key: string) => `text ${key}`;
  const stored = (key: string) => {
    try {
      return storage().getItem(nameOf(key)) ?? "";
    } catch {
      return "";
    }
  };
  return {
    read: (key) => written.get(key) ?? stored(key),
    write(key, text) {
      written.set(key, text);
      try {
        if (text === "") storage().removeItem(nameOf(key));
        else storage().setItem(nameOf(key), text);
      } catch {
        // It is still in memory.
      }
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const texts = createKeptTexts(() => window.sessionStorage);

/** The text of a field, which survives leaving and reloading its page in the same tab. */
export function useKeptText(key: string): [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(
    texts.listen,
    () => texts.read(key),
    () => "",
  );
  return [text, useCallback((next: string) => texts.write(key, next), [key])];
}
