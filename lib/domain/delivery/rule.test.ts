import { expect, test } from "vitest";
import { rulesFor } from "./rule";

test("finds the rules that cover a partner of a company", () => {
  const rule = { companies: ["northgate"], partners: ["Procore"] } as const;
  expect(rulesFor([rule], "northgate", "Procore")).toEqual([rule]);
  expect(rulesFor([rule], "northgate", null)).toEqual([rule]);
  expect(rulesFor([rule], "northgate", "Aconex")).toEqual([]);
  expect(rulesFor([rule], "harbour", "Procore")).toEqual([]);
});
