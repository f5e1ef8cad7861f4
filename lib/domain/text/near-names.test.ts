import { expect, test } from "vitest";
import { nearNames } from "./near-names";

const NAMES = ["Procore", "Primavera P6", "Aconex", "日本建設", "a/b", "Procore"];

test("lists the most similar name first, and each once", () => {
  expect(nearNames("Procor", NAMES, 6)[0]).toBe("Procore");
  expect(nearNames("procore", NAMES, 6).filter((name) => name === "Procore")).toHaveLength(1);
  expect(nearNames("日本", NAMES, 6)[0]).toBe("日本建設");
  expect(nearNames("ab", NAMES, 6)).toContain("a/b");
});

test("is empty if nothing is similar, and respects the limit", () => {
  expect(nearNames("qqq", NAMES, 6)).toEqual([]);
  expect(nearNames("Nope", ["Procore", "Sage 300", "Fieldwire", "Newforma"], 6)).toEqual([]);
  expect(nearNames("Procore", NAMES, 1)).toEqual(["Procore"]);
});
