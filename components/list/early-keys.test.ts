import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PENDING_SEARCH, takeEarlyKeys, takeEarlyText } from "./early-keys";
import { EARLY_KEYS_SCRIPT } from "./early-keys-script";

type Key = {
  key: string | undefined;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  repeat?: boolean;
  inField?: boolean;
};

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

/** The parts of a page that the listener uses. */
function page({ hasSearch = true, hasFilter = true } = {}) {
  let nowMs = NOW_MS;
  let listener: ((event: object) => void) | null = null;
  const shown = new Map<string, string>();
  const find = {
    setAttribute: (name: string, value: string) => shown.set(name, value),
    removeAttribute: (name: string) => shown.delete(name),
  };
  const filter = { focus: vi.fn<() => void>() };
  const document = {
    addEventListener: (_: string, hear: (event: object) => void) => (listener = hear),
    removeEventListener: () => (listener = null),
    querySelector: (selector: string) => {
      if (selector === ".find") return hasSearch ? find : null;
      return hasFilter ? filter : null;
    },
  };
  class Clock extends Date {
    static override now = () => nowMs;
  }
  runInNewContext(EARLY_KEYS_SCRIPT, { window, document, Date: Clock, Reflect });
  /** @returns whether the browser's default action still happens */
  const press = ({ inField = false, ...key }: Key): boolean => {
    let isNative = true;
    listener?.({
      ...PLAIN,
      ...key,
      target: { closest: () => (inField ? {} : null) },
      preventDefault: () => (isNative = false),
    });
    return isNative;
  };
  return {
    filter,
    press,
    type: (text: string) => Array.from(text, (key) => press({ key })),
    shown: () => shown.get(PENDING_SEARCH) ?? null,
    isListening: () => listener !== null,
    pass: (ms: number) => (nowMs += ms),
    take: () => ({ text: takeEarlyText(), keys: takeEarlyKeys() }),
  };
}

const PLAIN = {
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
};
const CTRL_K = { key: "k", ctrlKey: true };

let window: Record<string, unknown>;
beforeEach(() => {
  window = {};
  vi.stubGlobal("window", window);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("keys before the page is hydrated", () => {
  test("records the overview's shortcuts in order, and leaves others to the browser", () => {
    const { press, type, take } = page();
    type("j");
    for (const key of ["Tab", "Enter", "Delete", "ArrowDown", " ", "x", "9"]) {
      expect(press({ key })).toBe(true);
    }
    type("j3?");
    expect(take()).toEqual({ keys: ["j", "j", "3", "?"], text: null });
  });

  test("records the text after Ctrl K, shows it, and reserves it for the search", () => {
    const { press, type, shown, take } = page();
    expect(press(CTRL_K)).toBe(false);
    expect(shown()).toBe("");
    type("proc /1");
    expect(press({ key: "e" })).toBe(false);
    press({ key: "Backspace" });
    expect(shown()).toBe("proc /1");
    expect(take()).toEqual({ keys: [], text: "proc /1" });
  });

  test("treats Command K alike, and ignores key repeat", () => {
    const { press, type, take } = page();
    press({ key: "K", metaKey: true });
    press({ key: "K", metaKey: true, repeat: true });
    type("a");
    expect(take()).toEqual({ keys: [], text: "a" });
  });

  test("leaves the search on Escape or another Ctrl K", () => {
    for (const leave of [{ key: "Escape" }, CTRL_K]) {
      const { press, type, shown, take } = page();
      press(CTRL_K);
      type("abc");
      press(leave);
      expect(shown()).toBeNull();
      type("2");
      expect(take()).toEqual({ keys: ["2"], text: null });
    }
  });

  test("ignores Enter in the search, and doesn't follow a focused link", () => {
    const { press, type, take } = page();
    press(CTRL_K);
    type("rfi");
    expect(press({ key: "Enter" })).toBe(false);
    expect(take()).toEqual({ keys: [], text: "rfi" });
  });

  test("leaves text typed into a field there", () => {
    const { press, take } = page();
    expect(press({ key: "3", inField: true })).toBe(true);
    expect(press({ key: "/", inField: true })).toBe(true);
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("focuses the filter on /, without typing it", () => {
    const { press, filter } = page();
    expect(press({ key: "/" })).toBe(false);
    expect(filter.focus).toHaveBeenCalledOnce();
  });

  test("records / while the filter hasn't loaded", () => {
    const { press, take } = page({ hasFilter: false });
    expect(press({ key: "/" })).toBe(false);
    expect(take().keys).toEqual(["/"]);
  });

  test("records no search text on a page without the search", () => {
    const { press, type, take } = page({ hasSearch: false });
    expect(press(CTRL_K)).toBe(true);
    type("a");
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("discards what was typed before a pause of five seconds", () => {
    const late = page();
    late.press(CTRL_K);
    late.type("ab");
    late.pass(5001);
    expect(late.take()).toEqual({ keys: [], text: null });

    const again = page();
    again.type("jj");
    again.pass(5001);
    again.type("2");
    expect(again.take()).toEqual({ keys: ["2"], text: null });
  });

  test("keeps everything that is typed continuously for longer", () => {
    const { press, type, pass, take } = page();
    press(CTRL_K);
    for (const letter of "abcdef") {
      pass(4000);
      type(letter);
    }
    expect(take()).toEqual({ keys: [], text: "abcdef" });
  });

  test("ignores the keydown of an autofill, which has no key", () => {
    const { press, type, take } = page();
    type("j");
    expect(press({ key: undefined })).toBe(true);
    type("3");
    expect(take()).toEqual({ keys: ["j", "3"], text: null });
  });

  test("bounds memory while a key is held down", () => {
    const { type, take } = page();
    type("j".repeat(1000));
    expect(take()?.keys).toHaveLength(50);
  });

  test("returns the keys once, and stops listening", () => {
    const { type, take, isListening } = page();
    type("j");
    expect(take()).toEqual({ keys: ["j"], text: null });
    expect(isListening()).toBe(false);
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("loses no key when rows are hydrated after the search, which then listens itself", () => {
    const { press, type, isListening } = page();
    type("j");
    expect(takeEarlyText()).toBeNull();
    expect(press(CTRL_K)).toBe(true);
    type("3");
    expect(isListening()).toBe(true);
    expect(takeEarlyKeys()).toEqual(["j", "3"]);
    expect(isListening()).toBe(false);
  });

  test("loses no letter when the search is hydrated after the rows, which then listen themselves", () => {
    const { press, type, isListening } = page();
    type("j");
    expect(takeEarlyKeys()).toEqual(["j"]);
    expect(press({ key: "/" })).toBe(true);
    expect(press({ key: "3" })).toBe(true);
    press(CTRL_K);
    type("ab");
    expect(takeEarlyText()).toBe("ab");
    expect(isListening()).toBe(false);
  });
});
