import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PENDING_SEARCH, takeEarlyKeys, takeEarlyText } from "./early-keys";
import { EARLY_KEYS_SCRIPT } from "./early-keys-script";

type Key = {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  repeat?: boolean;
  inField?: boolean;
};

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

/** As much of a page as the listener touches. */
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
  /** @returns whether the browser still does with the key what it does by itself */
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
    isHeard: () => listener !== null,
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
  test("the keys of the overview are kept in order, and others are the browser's", () => {
    const { press, type, take } = page();
    type("j");
    for (const key of ["Tab", "Enter", "Delete", "ArrowDown", " ", "x", "9"]) {
      expect(press({ key })).toBe(true);
    }
    type("j3?");
    expect(take()).toEqual({ keys: ["j", "j", "3", "?"], text: null });
  });

  test("what follows Ctrl K is kept as text, shown, and nothing else's", () => {
    const { press, type, shown, take } = page();
    expect(press(CTRL_K)).toBe(false);
    expect(shown()).toBe("");
    type("proc /1");
    expect(press({ key: "e" })).toBe(false);
    press({ key: "Backspace" });
    expect(shown()).toBe("proc /1");
    expect(take()).toEqual({ keys: [], text: "proc /1" });
  });

  test("Command K is the same, and a key that is held down does not close it again", () => {
    const { press, type, take } = page();
    press({ key: "K", metaKey: true });
    press({ key: "K", metaKey: true, repeat: true });
    type("a");
    expect(take()).toEqual({ keys: [], text: "a" });
  });

  test("Escape, or Ctrl K once more, leaves the search", () => {
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

  test("Enter in the search chooses nothing, and follows no link that has the focus", () => {
    const { press, type, take } = page();
    press(CTRL_K);
    type("rfi");
    expect(press({ key: "Enter" })).toBe(false);
    expect(take()).toEqual({ keys: [], text: "rfi" });
  });

  test("what is typed into a field stays there", () => {
    const { press, take } = page();
    expect(press({ key: "3", inField: true })).toBe(true);
    expect(press({ key: "/", inField: true })).toBe(true);
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("/ leads to the filter at once, and is not typed into it", () => {
    const { press, filter } = page();
    expect(press({ key: "/" })).toBe(false);
    expect(filter.focus).toHaveBeenCalledOnce();
    expect(page({ hasFilter: false }).press({ key: "/" })).toBe(true);
  });

  test("a page without the search keeps nothing of it", () => {
    const { press, type, take } = page({ hasSearch: false });
    expect(press(CTRL_K)).toBe(true);
    type("a");
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("after a pause of five seconds what was typed is forgotten", () => {
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

  test("who types on for longer than that loses nothing", () => {
    const { press, type, pass, take } = page();
    press(CTRL_K);
    for (const letter of "abcdef") {
      pass(4000);
      type(letter);
    }
    expect(take()).toEqual({ keys: [], text: "abcdef" });
  });

  test("a key that is held down fills no memory", () => {
    const { type, take } = page();
    type("j".repeat(1000));
    expect(take()?.keys).toHaveLength(50);
  });

  test("they are told once, and from then on nothing is heard", () => {
    const { type, take, isHeard } = page();
    type("j");
    expect(take()).toEqual({ keys: ["j"], text: null });
    expect(isHeard()).toBe(false);
    expect(take()).toEqual({ keys: [], text: null });
  });

  test("rows that are hydrated after the search lose no key, and the search hears its own from then on", () => {
    const { press, type, isHeard } = page();
    type("j");
    expect(takeEarlyText()).toBeNull();
    expect(press(CTRL_K)).toBe(true);
    type("3");
    expect(isHeard()).toBe(true);
    expect(takeEarlyKeys()).toEqual(["j", "3"]);
    expect(isHeard()).toBe(false);
  });

  test("a search that is hydrated after the rows loses no letter, and the rows hear their own from then on", () => {
    const { press, type, isHeard } = page();
    type("j");
    expect(takeEarlyKeys()).toEqual(["j"]);
    expect(press({ key: "/" })).toBe(true);
    expect(press({ key: "3" })).toBe(true);
    press(CTRL_K);
    type("ab");
    expect(takeEarlyText()).toBe("ab");
    expect(isHeard()).toBe(false);
  });
});
