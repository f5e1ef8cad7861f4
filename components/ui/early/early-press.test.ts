import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EARLY_PRESS_SCRIPT, takeEarlyPress } from "./early-press";

let window: Record<string, unknown>;
let nowMs: number;
let press: (button: object | null) => void;
beforeEach(() => {
  window = {};
  nowMs = Date.parse("2026-11-19T13:32:07Z");
  vi.stubGlobal("window", window);
  const document = {
    addEventListener: (_: string, hear: (event: object) => void) => {
      press = (button) => hear({ target: { closest: () => button } });
    },
  };
  runInNewContext(EARLY_PRESS_SCRIPT, { window, document, Reflect, Date: { now: () => nowMs } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const MENU = {} as Element;
const OTHER = {} as Element;

test("gives the last pressed button its press, once", () => {
  expect(takeEarlyPress(MENU)).toBe(false);
  press(OTHER);
  press(MENU);
  expect(takeEarlyPress(null)).toBe(false);
  expect(takeEarlyPress(OTHER)).toBe(false);
  expect(takeEarlyPress(MENU)).toBe(true);
  expect(takeEarlyPress(MENU)).toBe(false);
});

test("forgets a press when something else is pressed, or after ten seconds", () => {
  press(MENU);
  press(null);
  expect(takeEarlyPress(MENU)).toBe(false);
  press(MENU);
  nowMs += 10_001;
  expect(takeEarlyPress(MENU)).toBe(false);
});

test("takes no press where the script did not run", () => {
  vi.stubGlobal("window", {});
  expect(takeEarlyPress(MENU)).toBe(false);
});
