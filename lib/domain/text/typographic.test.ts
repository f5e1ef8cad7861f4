import { expect, test } from "vitest";
import { typographic } from "./typographic";

test("a sentence of JSON has typographic apostrophes on a page", () => {
  expect(typographic("Change the first administrator's password; it isn't 'new'.")).toBe(
    "Change the first administrator’s password; it isn’t 'new'.",
  );
});
