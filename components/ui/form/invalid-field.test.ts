import { expect, test } from "vitest";
import { problemOf } from "./invalid-field";

const control = (given: Partial<Parameters<typeof problemOf>[0]>) => ({
  type: "text",
  validationMessage: "",
  validity: { customError: false, valueMissing: true, tooShort: false },
  labels: [{ textContent: "Starts on" }],
  dataset: {},
  ...given,
});

test("what is missing is said in words that fit every label, or in the field's own", () => {
  expect(problemOf(control({}))).toBe("Fill in this field.");
  expect(problemOf(control({ type: "select-one" }))).toBe("Choose an option.");
  const dataset = { missing: "Choose a colleague." };
  expect(problemOf(control({ type: "select-one", dataset }))).toBe("Choose a colleague.");
});

test("a text that is too short has its label", () => {
  const validity = { customError: false, valueMissing: false, tooShort: true };
  const labels = [{ textContent: "New password" }];
  expect(problemOf(control({ validity, labels, minLength: 12 }))).toBe(
    "New password needs at least 12 characters.",
  );
});
