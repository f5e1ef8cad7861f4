import { expect, test } from "vitest";
import { plainName } from "./plain-name";

test.each([
  ["Procore", "Procore"],
  ["Procore\nNorthgate recovered.\r\n\u2028Bcc: x", "Procore Northgate recovered. Bcc: x"],
  ["a\u0000b\u001b[31m", "a b [31m"],
  ["planx\u202Ecod.exe\u2066", "planxcod.exe"],
  ["شركة البناء", "شركة البناء"],
  [" \t ", ""],
])("the name %j reads %j", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

test("a name that nobody reads to its end is cut, at no half of a letter", () => {
  const plain = plainName("🏗".repeat(1_000_000));
  expect(plain.length).toBe(119);
  expect(plain).toMatch(/^(🏗)+…$/u);
});
