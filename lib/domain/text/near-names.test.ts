import { expect, test } from "vitest";
import { nearNames } from "./near-names";

const NAMES = ["Procore", "Primavera P6", "Aconex", "日本建設", "a/b", "Procore"];

test("the name that was meant comes first, and each once", () => {
  expect(nearNames("Procor", NAMES, 6)[0]).toBe("Procore");
  expect(nearNames("procore", NAMES, 6).filter((name) => name === "Procore")).toHaveLength(1);
  expect(nearNames("日本", NAMES, 6)[0]).toBe("日本建設");
  expect(nearNames("ab", NAMES, 6)).toContain("a/b");
});

test("nothing near is nothing, and no more than asked for", () => {
  expect(nearNames("qqq", NAMES, 6)).toEqual([]);
  expect(nearNames("Procore", NAMES, 1)).toEqual(["Procore"]);
});
