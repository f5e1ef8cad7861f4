import { expect, test } from "vitest";
import { refusal } from "./words";

test("what may be wrong with a channel is something that its form has", () => {
  expect(refusal(400, "email")).toBe("Something here isn’t valid. Check the recipients.");
  expect(refusal(400, "slack_webhook")).toMatch(
    /Check the address: it must be public and https\.$/,
  );
  expect(refusal(400, "slack_app")).toMatch(/Check the token\.$/);
  expect(refusal(400, null)).toBe("Couldn’t save this. Try again.");
});
