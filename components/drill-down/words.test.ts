import { expect, test } from "vitest";
import { onTimeDays } from "./words";

test("days are awaited only where there will be some", () => {
  expect(onTimeDays.none(["active", "webhook"])).toBe("No history by day yet.");
  expect(onTimeDays.none(["webhook"])).toBe("Webhook feeds aren’t counted: they have no schedule.");
  expect(onTimeDays.none(null)).toBe("No history by day.");
});
