import { expect, test } from "vitest";
import { initials } from "./initials";

test.each([
  ["Ana Rask", "AR"],
  ["ana@example.com", "AE"],
  ["Ines María Moreau", "IM"],
  ["𝒜na", "𝒜"],
  ["", "?"],
])("%j is %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
