import { expect, test } from "vitest";
import { onlyOfName } from "./same-name";

const find = (wanted: string, ...names: string[]) => onlyOfName(wanted, names, (name) => name);

test.each([
  ["prefers the exact name", "procore", ["Procore", "procore"], "procore"],
  [
    "otherwise returns the only match that ignores case",
    "PROCORE",
    ["Procore", "Primavera"],
    "Procore",
  ],
  ["returns null for several matches that ignore case", "PROCORE", ["Procore", "procore"], null],
  ["returns null for a repeated name", "drawings", ["drawings", "drawings"], null],
  ["returns null for a similar name", "Procor", ["Procore"], null],
  ["matches names in any script", "GROSSBAU ÅS", ["Großbau Ås"], "Großbau Ås"],
  ["matches composed and decomposed text", "ås", ["A\u030As"], "A\u030As"],
  ["returns null for an empty list", "x", [], null],
])("%s", (_, wanted, names, found) => {
  expect(find(wanted, ...names)).toBe(found);
});
