import { withTexts } from "./address-params";

/** After a `push`, a step back leads to what was before. */
export type How = "push" | "replace";

/** What is changed: by name in the address, null for what is to leave it. */
type Texts = readonly (readonly [name: string, text: string | null])[];

/** Where the address stands, and what may be done to it. */
export type AddressBar = {
  /** As `location` has them. */
  where: () => { pathname: string; search: string; hash: string };
  write: (how: How, address: string) => void;
  /** Milliseconds that only ever grow. */
  nowMs: () => number;
  /** @returns what calls it off */
  later: (run: () => void, ms: number) => () => void;
};

/** Browsers refuse more than a hundred changes of the address in some seconds. */
const BETWEEN_WRITES_MS = 120;

/**
 * Changes that count at once, while the address is written when it may be, and the router tells of it later
 * still. Steps of somebody else (a link, a step back) are stronger than what was ahead of them.
 */
export function createAddressAhead(bar: AddressBar) {
  let ahead: ReadonlyMap<string, string | null> = new Map();
  /** The page that `ahead` is about. */
  let path = "";
  const unwritten = new Set<string>();
  /** What we wrote and the router has not told yet, oldest first. */
  let written: string[] = [];
  let told: string | null = null;
  let how: How = "replace";
  let callOff = () => {};
  let wroteAtMs = -Infinity;
  const listeners = new Set<() => void>();

  const tell = () => {
    for (const listener of listeners) listener();
  };

  /** The address alone counts. */
  const forget = () => {
    callOff();
    ahead = new Map();
    unwritten.clear();
    written = [];
    how = "replace";
    tell();
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
    /** @returns what stops it */
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** @returns undefined while nothing is ahead of the address */
    textOf: (pathname: string, name: string): string | null | undefined =>
      pathname === path ? ahead.get(name) : undefined,

    /** @param pauseMs how long to wait for another change before the address is written */
    change: (texts: Texts, asked: How, pauseMs: number) => {
      const { pathname } = bar.where();
      if (path !== pathname) forget();
      path = pathname;
      ahead = new Map([...ahead, ...texts]);
      for (const [name] of texts) unwritten.add(name);
      if (asked === "push") how = "push";
      tell();
      callOff();
      // What is written before the router has come to life it never learns.
      const comesMs = told === null ? BETWEEN_WRITES_MS : 0;
      const waitMs = Math.max(pauseMs, comesMs, wroteAtMs + BETWEEN_WRITES_MS - bar.nowMs());
      if (waitMs > 0) callOff = bar.later(write, waitMs);
      else write();
    },

    /** Writes at once what waits to be written. */
    flush: () => {
      if (unwritten.size === 0) return;
      callOff();
      write();
    },

    /** The router tells an address: what it holds of ours is no longer ahead. */
    follow: (pathname: string, search: string) => {
      const address = `${pathname}?${inOneForm(search)}`;
      if (address === told) return;
      if (told === null) wroteAtMs = bar.nowMs();
      const hasJustCome = told?.split("?")[0] !== pathname;
      told = address;
      const at = written.lastIndexOf(address);
      // What is on a page may change before the router tells of the page itself: text that was typed early.
      if (at === -1 && hasJustCome && path === pathname && written.length === 0) return;
      if (at === -1) return forget();
      // An older one of ours: the latest is on its way.
      if (at < written.length - 1) return;
      written = [];
      ahead = new Map([...ahead].filter(([name]) => unwritten.has(name)));
      tell();
    },

    forget,
  };
}

/** However its characters are encoded. */
function inOneForm(search: string): string {
  return new URLSearchParams(search).toString();
}
