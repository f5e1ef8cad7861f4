import { expect, test } from "vitest";
import { createAddressAhead, type HistoryMode } from "./address-ahead";

/** A fake address bar with a router that reports a change only on request; `isNew`: it hasn't reported any yet. */
function page(address = "/a", { isNew = false } = {}) {
  let url = new URL(address, "http://localhost");
  let nowMs = 0;
  let waiting: { run: () => void; atMs: number } | null = null;
  const writes: [HistoryMode, string][] = [];
  const ahead = createAddressAhead({
    where: () => url,
    write: (how, next) => {
      writes.push([how, next]);
      url = new URL(next, url);
    },
    nowMs: () => nowMs,
    later: (run, ms) => {
      const mine = { run, atMs: nowMs + ms };
      waiting = mine;
      return () => {
        if (waiting === mine) waiting = null;
      };
    },
  });
  const tell = (search = url.search) => ahead.follow(url.pathname, search);
  if (!isNew) {
    tell();
    nowMs += 1000;
  }
  return {
    ahead,
    writes,
    tell,
    goTo: (next: string) => {
      url = new URL(next, url);
    },
    pass: (ms: number) => {
      nowMs += ms;
      if (waiting === null || waiting.atMs > nowMs) return;
      const { run } = waiting;
      waiting = null;
      run();
    },
  };
}

test("applies a change immediately, until the router reports it", () => {
  const { ahead, writes, tell } = page("/a?tz=utc");
  ahead.change([["q", "x"]], "replace", 0);
  expect(ahead.textOf("/a", "q")).toBe("x");
  expect(writes).toEqual([["replace", "/a?tz=utc&q=x"]]);
  tell();
  expect(ahead.textOf("/a", "q")).toBeUndefined();
});

test("applies changes made before the router has started, and writes them once it can see them", () => {
  const { ahead, writes, tell, pass } = page("/a", { isNew: true });
  ahead.change([["q", "x"]], "replace", 0);
  expect(ahead.textOf("/a", "q")).toBe("x");
  tell();
  ahead.change([["order", "name"]], "replace", 0);
  expect(writes).toEqual([]);
  pass(120);
  expect(writes).toEqual([["replace", "/a?q=x&order=name"]]);
  expect(ahead.textOf("/a", "q")).toBe("x");
  tell();
  expect(ahead.textOf("/a", "q")).toBeUndefined();
});

test("ignores pending changes on another page", () => {
  const { ahead } = page();
  ahead.change([["q", "x"]], "replace", 0);
  expect(ahead.textOf("/b", "q")).toBeUndefined();
});

test("writes a delayed change before a navigation to another page, and only once", () => {
  const { ahead, writes, pass, goTo } = page();
  ahead.flush();
  expect(writes).toEqual([]);
  ahead.change([["q", "x"]], "replace", 600);
  ahead.flush();
  expect(writes).toEqual([["replace", "/a?q=x"]]);
  goTo("/b");
  pass(600);
  expect(writes).toHaveLength(1);
});

test("writes typed text once, when typing pauses", () => {
  const { ahead, writes, pass } = page();
  for (const q of ["a", "ab", "abc"]) {
    ahead.change([["q", q]], "replace", 250);
    pass(100);
  }
  expect(writes).toEqual([]);
  pass(250);
  expect(writes).toEqual([["replace", "/a?q=abc"]]);
});

test("combines changes in quick succession into one write, which remains a push if one of them was", () => {
  const { ahead, writes, pass } = page();
  ahead.change([["q", "a"]], "replace", 0);
  ahead.change([["page", "2"]], "push", 0);
  ahead.change([["tz", "utc"]], "replace", 0);
  pass(120);
  expect(writes).toEqual([
    ["replace", "/a?q=a"],
    ["push", "/a?q=a&page=2&tz=utc"],
  ]);
});

test("doesn't write what is already in the address", () => {
  const { ahead, writes } = page("/a?q=a%20b");
  ahead.change([["q", "a b"]], "push", 0);
  expect(writes).toEqual([]);
});

test("doesn't undo a later change when the router reports an earlier one late", () => {
  const { ahead, pass, tell } = page();
  ahead.change([["q", "a"]], "replace", 0);
  pass(200);
  ahead.change([["q", "ab"]], "replace", 0);
  tell("?q=a");
  expect(ahead.textOf("/a", "q")).toBe("ab");
  tell("?q=ab");
  expect(ahead.textOf("/a", "q")).toBeUndefined();
});

test("keeps text typed after a write when the router reports that write", () => {
  const { ahead, tell } = page();
  ahead.change([["q", "a"]], "replace", 0);
  ahead.change([["q", "ab"]], "replace", 250);
  tell("?q=a");
  expect(ahead.textOf("/a", "q")).toBe("ab");
});

test("drops pending changes on a link or a history step", () => {
  const { ahead, writes, pass, goTo, tell } = page("/a?q=old");
  ahead.change([["q", "typed"]], "replace", 250);
  goTo("/a?verdict=late");
  tell();
  expect(ahead.textOf("/a", "q")).toBeUndefined();
  pass(1000);
  expect(writes).toEqual([]);
});

test("ignores a pause in typing after a change of page", () => {
  const { ahead, writes, pass, goTo } = page();
  ahead.change([["q", "typed"]], "replace", 250);
  goTo("/b?q=its-own");
  pass(1000);
  expect(writes).toEqual([]);
});

test("notifies listeners of changes until they stop", () => {
  const { ahead } = page();
  let notified = 0;
  const stop = ahead.listen(() => (notified += 1));
  ahead.change([["q", "a"]], "replace", 0);
  expect(notified).toBeGreaterThan(0);
  stop();
  const before = notified;
  ahead.change([["q", "b"]], "replace", 0);
  expect(notified).toBe(before);
});

test("preserves and writes changes made on a page before the router reports that page", () => {
  const { ahead, writes, tell, goTo, pass } = page("/a");
  goTo("/b?tz=utc");
  ahead.change([["q", "x"]], "replace", 600);
  tell();
  expect(ahead.textOf("/b", "q")).toBe("x");
  pass(600);
  expect(writes).toEqual([["replace", "/b?tz=utc&q=x"]]);
  tell();
  expect(ahead.textOf("/b", "q")).toBeUndefined();
});

test("drops pending changes of another page when the router reports a page", () => {
  const { ahead, tell, goTo, pass, writes } = page("/a");
  ahead.change([["q", "x"]], "replace", 600);
  goTo("/b");
  tell();
  pass(600);
  expect(writes).toEqual([]);
  expect(ahead.textOf("/b", "q")).toBeUndefined();
});
