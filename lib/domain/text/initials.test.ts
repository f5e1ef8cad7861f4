import { expect, test } from "vitest";
import { initials } from "./initials";

test.each([
  ["Ana Rask", "AR"],
  ["ana@example.com", "AE"],
  ["Ines María Moreau", "IM"],
  ["𝒜na", "𝒜"],
  ["", "?"],
])("abbreviates %j to %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
