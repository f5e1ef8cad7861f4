import { expect, test } from "vitest";
import { plainName } from "./plain-name";

test.each([
  ["Procore", "Procore"],
  ["Procore\nNorthgate recovered.\r\n\u2028Bcc: x", "Procore Northgate recovered. Bcc: x"],
  ["a\u0000b\u001b[31m", "a b [31m"],
  ["planx\u202Ecod.exe\u2066", "planxcod.exe"],
  ["شركة البناء", "شركة البناء"],
  [" \t ", ""],
])("formats the name %j as %j", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

test("truncates an overlong name without splitting a character", () => {
  const plain = plainName("🏗".repeat(1_000_000));
  expect(plain.length).toBe(119);
  expect(plain).toMatch(/^(🏗)+…$/u);
});
