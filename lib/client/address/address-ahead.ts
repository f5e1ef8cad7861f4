import { withTexts } from "./address-params";

/** `push` adds a history entry, `replace` doesn't. */
export type HistoryMode = "push" | "replace";

/** Changes by parameter name; null removes the parameter. */
type Texts = readonly (readonly [name: string, text: string | null])[];

/** The browser's address bar and clock, replaceable in tests. */
export type AddressBar = {
  /** As in `location`. */
  where: () => { pathname: string; search: string; hash: string };
  write: (how: HistoryMode, address: string) => void;
  /** Monotonic milliseconds. */
  nowMs: () => number;
  /** @returns cancels it */
  later: (run: () => void, ms: number) => () => void;
};

/** Browsers reject more than a hundred changes of the address within some seconds. */
const BETWEEN_WRITES_MS = 120;

/**
 * Changes to the address that apply immediately, although the address is written later and the router reports it later
 * still. Navigation by others (a link, a history step) overrides pending changes.
 */
export function createAddressAhead(bar: AddressBar) {
  let ahead: ReadonlyMap<string, string | null> = new Map();
  /** The page that `ahead` belongs to. */
  let path = "";
  const unwritten = new Set<string>();
  /** Our writes that the router hasn't reported yet, oldest first. */
  let written: string[] = [];
  let reported: string | null = null;
  let how: HistoryMode = "replace";
  let callOff = () => {};
  let wroteAtMs = -Infinity;
  const listeners = new Set<() => void>();

  const notify = () => {
    for (const listener of listeners) listener();
  };

  /** Drops pending changes. */
  const forget = () => {
    callOff();
    ahead = new Map();
    unwritten.clear();
    written = [];
    how = "replace";
    notify();
  };

  const write = () => {
    const { pathname, search, hash } = bar.where();
    if (pathname !== path) return forget();
    const texts = [...unwritten].map((name) => [name, ahead.get(name) ?? null] as const);
    const next = withTexts(search, texts);
    const given = how;
    unwritten.clear();
    how = "replace";
    if (inOneForm(next) === inOneForm(search)) return;
    written.push(`${pathname}?${inOneForm(next)}`);
    wroteAtMs = bar.nowMs();
    bar.write(given, `${pathname}${next}${hash}`);
  };

  return {
    /** @returns unsubscribes */
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** @returns undefined if there is no pending change */
    textOf: (pathname: string, name: string): string | null | undefined =>
      pathname === path ? ahead.get(name) : undefined,

    /** @param pauseMs how long to wait for another change before the address is written */
    change: (texts: Texts, mode: HistoryMode, pauseMs: number) => {
      const { pathname } = bar.where();
      if (path !== pathname) forget();
      path = pathname;
      ahead = new Map([...ahead, ...texts]);
      for (const [name] of texts) unwritten.add(name);
      if (mode === "push") how = "push";
      notify();
      callOff();
      // The router misses writes made before it has started.
      const comesMs = reported === null ? BETWEEN_WRITES_MS : 0;
      const waitMs = Math.max(pauseMs, comesMs, wroteAtMs + BETWEEN_WRITES_MS - bar.nowMs());
      if (waitMs > 0) callOff = bar.later(write, waitMs);
      else write();
    },

    /** Writes pending changes immediately. */
    flush: () => {
      if (unwritten.size === 0) return;
      callOff();
      write();
    },

    /** Called with every address that the router reports: removes the pending changes that it includes. */
    follow: (pathname: string, search: string) => {
      const address = `${pathname}?${inOneForm(search)}`;
      if (address === reported) return;
      if (reported === null) wroteAtMs = bar.nowMs();
      const hasJustCome = reported?.split("?")[0] !== pathname;
      reported = address;
      const at = written.lastIndexOf(address);
      // The page may have changed, e.g. by early typing, before the router reports the page itself.
      if (at === -1 && hasJustCome && path === pathname && written.length === 0) return;
      if (at === -1) return forget();
      // An earlier write of ours: the latest one hasn't been reported yet.
      if (at < written.length - 1) return;
      written = [];
      ahead = new Map([...ahead].filter(([name]) => unwritten.has(name)));
      notify();
    },

    forget,
  };
}

/** Normalises the encoding of characters. */
function inOneForm(search: string): string {
  return new URLSearchParams(search).toString();
}
