import { expect, test } from "vitest";
import { onlyOfName } from "./same-name";

const find = (wanted: string, ...names: string[]) => onlyOfName(wanted, names, (name) => name);

test.each([
  ["the very name comes first", "procore", ["Procore", "procore"], "procore"],
  ["else the only one but for its case", "PROCORE", ["Procore", "Primavera"], "Procore"],
  ["none where several would do", "PROCORE", ["Procore", "procore"], null],
  ["none where one name stands twice", "drawings", ["drawings", "drawings"], null],
  ["none that is only near", "Procor", ["Procore"], null],
  ["in any script", "GROSSBAU ÅS", ["Großbau Ås"], "Großbau Ås"],
  ["however it is composed", "ås", ["A\u030As"], "A\u030As"],
  ["none among none", "x", [], null],
])("%s", (_, wanted, names, found) => {
  expect(find(wanted, ...names)).toBe(found);
});
