import { expect, test } from "vitest";
import { afterEdit, formProblem } from "./field-problem";

test("names every field that has something wrong, each once", () => {
  const name = { problem: "Enter a name.", field: "name" };
  const day = { problem: "Choose a day.", field: "day" };
  expect(formProblem([])).toBeNull();
  expect(formProblem([name])).toEqual(name);
  expect(formProblem([name, day, { ...name, problem: "Too long." }])).toEqual({
    ...name,
    more: [day],
  });
});

test("stays after an edit if it names further fields", () => {
  const name = { problem: "Enter a name.", field: "name" };
  const both = { ...name, more: [{ problem: "Choose a day.", field: "day" }] };
  expect([null, "needs-reauthentication", name, both].map(afterEdit)).toEqual([
    null,
    null,
    null,
    both,
  ]);
});
