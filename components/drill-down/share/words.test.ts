import { expect, test } from "vitest";
import { shareRefusal } from "./words";

test("doesn't say that no link was created when no answer came", () => {
  expect(shareRefusal(0, true)).toBe("Plumbline isn’t responding. The link may have been created.");
});
