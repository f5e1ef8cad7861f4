import { expect, test } from "vitest";
import { terminalJson, terminalText } from "./terminal-text.mjs";

test.each([
  ["a\nadmin@example.com: Ana", "a\\u{A}admin@example.com: Ana"],
  ["\u001B[2K\rBo", "\\u{1B}[2K\\u{D}Bo"],
  ["\u009B31m\u0000\t\u007F", "\\u{9B}31m\\u{0}\\u{9}\\u{7F}"],
  ["\u202Eevil\u2028x\u2029\u200B", "\\u{202E}evil\\u{2028}x\\u{2029}\\u{200B}"],
  ["half \uD83D a pair", "half \\u{D83D} a pair"],
])("prints %j as one harmless line", (line, safe) => {
  expect(terminalText(line)).toBe(safe);
});

test("leaves letters of every script, punctuation and blanks unchanged", () => {
  const line = 'José Łukasz 李小龙 عمر, viewer at all companies ("x") 🙂';
  expect(terminalText(line)).toBe(line);
});

test.each([
  "\u009B31m\u007F",
  "\u202Eevil\u2028x\u2029\u200B\uFEFF",
  "half \uD83D a pair",
  "\u{E0001}tag",
  "a\nb\u001B[2K",
  "José 李小龙 عمر 🙂",
])("a line of JSON with %j is harmless on a terminal, and says the same", (text) => {
  const line = `${JSON.stringify({ text })}\n`;
  const safe = terminalJson(line);
  expect(JSON.parse(safe)).toEqual({ text });
  expect(safe.slice(0, -1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(safe.endsWith("\n")).toBe(true);
});
